//! The settings of the API server: from flags, and from `settings` of a line.

use std::str::FromStr as _;

use clap::ValueEnum;
use k8s_crd_validation::{FieldValidation, KubeVersion, ServerSettings};
use serde::{Deserialize, Deserializer};

/// The flags.
#[derive(Debug, clap::Args)]
pub(crate) struct ServerArgs {
    /// Errors that an update may keep: those that API servers tolerate, or those that KEP-4008
    /// describes.
    #[arg(long, value_enum, default_value_t)]
    policy: Policy,

    /// Kubernetes version to emulate, such as 1.36 (or 0.36). It decides which CEL functions new
    /// rules may use.
    #[arg(long, alias = "kubernetes-version", value_name = "VERSION", default_value = "0.36", value_parser = KubeVersion::from_str)]
    kube_version: KubeVersion,

    /// The gate `CRDValidationRatcheting`: an update may keep invalid values that it does not
    /// change. By default it is on from 1.30.
    #[arg(long, value_enum, value_name = "GATE")]
    ratchet: Option<FeatureGate>,
}

impl ServerArgs {
    pub(crate) fn settings(&self) -> ServerSettings {
        let settings = ServerSettings::default()
            .policy(self.policy.into())
            .version(self.kube_version);
        match self.ratchet {
            None => settings,
            Some(gate) => settings.ratchet(matches!(gate, FeatureGate::On)),
        }
    }
}

/// A feature gate.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum FeatureGate {
    On,
    Off,
}

/// The `settings` of a line; the flags apply to settings that are missing.
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
        if let Some(on) = self.ratchet {
            settings = settings.ratchet(on);
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
    let text: Option<String> = Option::deserialize(deserializer)?;
    text.map(|text| KubeVersion::from_str(&text))
        .transpose()
        .map_err(serde::de::Error::custom)
}

/// The treatment of unknown fields and duplicate keys, as kubectl spells it. A line of JSON may
/// also spell it as the parameter `fieldValidation` of a request.
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
