//! The settings of the API server, from flags and from the key `settings` of a line.

use std::str::FromStr as _;

use clap::ValueEnum;
use k8s_crd_validation::crd::Review;
use k8s_crd_validation::{
    Compiler, Feature, FeatureKind, FieldValidation, KubeVersion, ServerSettings, StructuralSchema,
};
use serde::{Deserialize, Deserializer};

use crate::cluster::Cluster;
use crate::error::CommandError;

/// The flags for the API server to emulate.
#[derive(Debug, clap::Args)]
pub(crate) struct ServerArgs {
    /// Errors that an update may keep: those that API servers tolerate, or those that KEP-4008
    /// describes.
    #[arg(long, value_enum, default_value_t)]
    policy: Policy,

    #[arg(long, aliases = ["kubernetes", "kubernetes-version"], value_name = "VERSION", value_parser = KubeVersion::from_str)]
    #[arg(help = emulated_version_help())]
    kube_version: Option<KubeVersion>,

    #[arg(long, value_enum, value_name = "GATE")]
    #[arg(help = ratchet_help())]
    ratchet: Option<FeatureGate>,
}

impl ServerArgs {
    /// Returns the settings. `cluster` supplies the version if the flag is not given.
    pub(crate) fn settings(
        &self,
        cluster: Option<&Cluster>,
    ) -> Result<ServerSettings, CommandError> {
        let version = match (self.kube_version, cluster) {
            (Some(version), _) => version,
            (None, Some(cluster)) => cluster.version()?,
            (None, None) => KubeVersion::default(),
        };
        Ok(self.settings_for(version))
    }

    /// Returns the settings of a command that reads no cluster.
    pub(crate) fn settings_without_cluster(&self) -> ServerSettings {
        self.settings_for(self.kube_version.unwrap_or_default())
    }

    fn settings_for(&self, version: KubeVersion) -> ServerSettings {
        let settings = ServerSettings::default()
            .policy(self.policy.into())
            .version(version);
        match self.ratchet {
            None => settings,
            Some(gate) => settings.ratchet(matches!(gate, FeatureGate::On)),
        }
    }
}

/// Returns the help of a flag for a Kubernetes version. `subject` is the first part of the help.
pub(crate) fn version_help(subject: &str) -> String {
    let (earliest, latest) = (KubeVersion::EARLIEST, KubeVersion::LATEST);
    format!(
        "{subject}, from {earliest} to {latest}, such as {latest} or v{latest}.2; the table below has the \
         defaults that depend on it"
    )
}

fn emulated_version_help() -> String {
    let default = KubeVersion::default();
    let subject = "The version of Kubernetes to emulate";
    format!(
        "{}; by default the version of the cluster, or else {default}",
        version_help(subject)
    )
}

fn ratchet_help() -> String {
    let first_version = Feature::Ratcheting.since();
    format!(
        "The gate `CRDValidationRatcheting`: an update may keep invalid values that it does not \
         change. By default, it is on since {first_version}. A server cannot switch it off since 1.33; `off` \
         then shows all errors of an update"
    )
}

/// Returns a table of the features of these kinds, with the first version of each feature.
pub(crate) fn version_table(kinds: &[FeatureKind]) -> String {
    let title = "Defaults that depend on the version of Kubernetes, with the first version:";
    let mut lines = vec![title.to_owned()];
    for kind in kinds {
        let kind_title = match kind {
            FeatureKind::Library => {
                "CEL libraries (the first version for stored rules, the first version for new rules)"
            }
            FeatureKind::Language => "The language of CEL, in stored and new rules",
            FeatureKind::Gate => "Feature gates, on by default",
            FeatureKind::Api => "Policies",
            _ => "The server",
        };
        lines.push(format!("  {kind_title}:"));
        for feature in Feature::ALL
            .iter()
            .filter(|feature| feature.kind() == *kind)
        {
            let new_rules_version = feature.since_in_new_rules();
            let new_rules_version = new_rules_version.filter(|_| *kind == FeatureKind::Library);
            let new_rules_version = new_rules_version
                .map(|version| format!(" {version}"))
                .unwrap_or_default();
            lines.push(format!(
                "    {}{new_rules_version}  {feature}",
                feature.since()
            ));
        }
    }
    lines.join("\n")
}

/// Returns the last part of the help of a command that emulates a server.
pub(crate) fn after_long_help(examples: &str) -> String {
    let kinds = [
        FeatureKind::Library,
        FeatureKind::Language,
        FeatureKind::Gate,
        FeatureKind::Server,
    ];
    format!("{}\n\n{examples}", version_table(&kinds))
}

/// The state of a feature gate.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum FeatureGate {
    On,
    Off,
}

/// The server settings that affect how a schema is compiled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct CompilingServer {
    version: KubeVersion,
    ratchet: Option<bool>,
}

impl CompilingServer {
    pub(crate) const fn from_settings(settings: &ServerSettings) -> Self {
        Self {
            version: settings.version,
            ratchet: settings.ratchet,
        }
    }

    /// Returns the compiler for new schemas.
    pub(crate) fn compiler(self) -> Compiler {
        StructuralSchema::compiler()
            .version(self.version)
            .ratchet(self.ratchet)
    }

    /// Creates the review of CRDs.
    pub(crate) fn review(self) -> Review<'static> {
        Review::new().version(self.version).ratchet(self.ratchet)
    }
}

/// The key `settings` of a line. Omitted settings have the values of the flags.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LineServerSettings {
    policy: Option<Policy>,
    ratchet: Option<bool>,
    #[serde(default, deserialize_with = "deserialize_version")]
    kube_version: Option<KubeVersion>,
    unions: Option<bool>,
    field_validation: Option<Validate>,
}

impl LineServerSettings {
    pub(crate) fn apply_to(&self, mut settings: ServerSettings) -> ServerSettings {
        if let Some(policy) = self.policy {
            settings = settings.policy(policy.into());
        }
        if let Some(is_on) = self.ratchet {
            settings = settings.ratchet(is_on);
        }
        if let Some(version) = self.kube_version {
            settings = settings.version(version);
        }
        if let Some(validation) = self.field_validation {
            settings = settings.field_validation(validation.into());
        }
        if let Some(true) = self.unions {
            settings = settings.unions(union_runtime::Settings::default());
        }
        settings
    }
}

pub(crate) fn deserialize_version<'d, D: Deserializer<'d>>(
    deserializer: D,
) -> Result<Option<KubeVersion>, D::Error> {
    let version: Option<String> = Option::deserialize(deserializer)?;
    version
        .map(|version| KubeVersion::from_str(&version))
        .transpose()
        .map_err(serde::de::Error::custom)
}

/// The treatment of unknown fields and duplicate keys, with kubectl's names for flags. JSON may
/// also contain the names of the request parameter `fieldValidation`.
#[derive(Clone, Copy, Debug, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Validate {
    #[value(alias = "true")]
    #[serde(alias = "Strict")]
    Strict,
    #[serde(alias = "Warn")]
    Warn,
    #[value(alias = "false")]
    #[serde(alias = "Ignore")]
    Ignore,
}

impl From<Validate> for FieldValidation {
    fn from(validate: Validate) -> Self {
        match validate {
            Validate::Strict => Self::Strict,
            Validate::Warn => Self::Warn,
            Validate::Ignore => Self::Ignore,
        }
    }
}

#[derive(Clone, Copy, Debug, Default, Deserialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
enum Policy {
    #[default]
    ApiServer,
    #[serde(rename = "kep-4008")]
    #[value(name = "kep-4008")]
    Kep4008,
}

impl From<Policy> for k8s_crd_validation::RatchetingPolicy {
    fn from(policy: Policy) -> Self {
        match policy {
            Policy::ApiServer => Self::ApiServer,
            Policy::Kep4008 => Self::Kep4008,
        }
    }
}
