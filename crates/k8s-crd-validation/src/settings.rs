//! The settings of the emulated API server.

use k8s_cel::format::Formats;
use k8s_cel::{Feature, KubeVersion};

/// The settings of the API server whose answers [`StructuralSchema`](crate::StructuralSchema)
/// returns.
///
/// ```
/// use k8s_crd_validation::{RatchetingPolicy, ServerSettings, KubeVersion};
///
/// let settings = ServerSettings::default()
///     .policy(RatchetingPolicy::Kep4008)
///     .version("1.34".parse::<KubeVersion>()?);
/// assert!(settings.ratchet.is_none() && settings.unions.is_none());
/// # Ok::<(), k8s_cel::ParseVersionError>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ServerSettings {
    /// The rule by which an update tolerates invalid values. Default:
    /// [`RatchetingPolicy::ApiServer`].
    pub policy: RatchetingPolicy,
    /// The feature gate `CRDValidationRatcheting`: an update may keep invalid values that it does
    /// not change. Default: `None`, which means the default of the version: on from Kubernetes 1.30
    /// on, off before. With [`RatchetingPolicy::Kep4008`], `None` always means on.
    ///
    /// A server has the gate from 1.28 on, and cannot switch the gate off from 1.33 on. Here,
    /// `Some` applies to every version: `Some(false)` returns all errors of an update.
    ///
    /// API servers ratchet updates of a status only from 1.33 on, even if the gate is on before.
    /// All versions tolerate duplicates in lists that had duplicates.
    pub ratchet: Option<bool>,
    /// The version of Kubernetes that is emulated. Default: [`KubeVersion::LATEST`].
    pub version: KubeVersion,
    /// The formats that are checked. Default: `None`, which means the formats of
    /// [`version`](Self::version).
    pub formats: Option<Formats>,
    /// The settings for unions, which are normalized and validated after defaulting. Default:
    /// `None`: unions are neither normalized nor validated, as in an API server.
    pub unions: Option<union_runtime::Settings>,
    /// The treatment of unknown fields and duplicate keys in a request. Default:
    /// [`FieldValidation::Warn`].
    pub field_validation: FieldValidation,
}

/// The treatment of fields that the schema does not describe, and of duplicate keys: the query
/// parameter `fieldValidation` of a request. A server removes such fields from the object in all
/// cases.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum FieldValidation {
    /// Unknown fields are removed, and not reported.
    Ignore,
    /// Each unknown field is a warning. A server does this if a request does not have the
    /// parameter.
    #[default]
    Warn,
    /// An unknown field is an error, with code 400. kubectl sends this parameter by default.
    Strict,
}

/// The rule by which an update tolerates invalid values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum RatchetingPolicy {
    /// The rule of API servers. A request with this policy has the same result as in a cluster.
    #[default]
    ApiServer,
    /// The rule that KEP-4008 describes. An error is tolerated if and only if its value
    /// deep-equals the old value. Errors of `allOf`, `anyOf`, `oneOf` and `not` are never
    /// tolerated. Errors in metadata are tolerated if the whole metadata is unchanged, and errors
    /// of a list, such as duplicates, if the whole list is unchanged. Violated transition rules are
    /// never tolerated.
    Kep4008,
}

impl Default for ServerSettings {
    fn default() -> Self {
        Self {
            policy: RatchetingPolicy::ApiServer,
            ratchet: None,
            version: KubeVersion::LATEST,
            formats: None,
            unions: None,
            field_validation: FieldValidation::Warn,
        }
    }
}

impl ServerSettings {
    /// Returns the formats that are checked, or `None` if they are the formats of the newest
    /// release.
    pub(super) fn checked_formats(&self) -> Option<Formats> {
        let is_older = self.version != KubeVersion::LATEST;
        let version_formats =
            || is_older.then(|| Formats::for_version(self.version.of_new_rules()));
        self.formats.clone().or_else(version_formats)
    }

    /// Returns true if an update may keep invalid values that it does not change.
    pub(super) fn ratchets(&self) -> bool {
        let is_on_by_default =
            self.policy == RatchetingPolicy::Kep4008 || self.version.has(Feature::Ratcheting);
        self.ratchet.unwrap_or(is_on_by_default)
    }

    /// Returns true if an update of the status may keep invalid values that it does not change.
    pub(super) fn ratchets_status(&self) -> bool {
        self.ratchets()
            && (self.policy == RatchetingPolicy::Kep4008
                || self.version.has(Feature::StatusRatcheting))
    }

    /// Returns the settings with another policy.
    #[must_use]
    pub fn policy(mut self, policy: RatchetingPolicy) -> Self {
        self.policy = policy;
        self
    }

    /// Returns the settings with ratcheting on or off.
    #[must_use]
    pub fn ratchet(mut self, is_on: bool) -> Self {
        self.ratchet = Some(is_on);
        self
    }

    /// Returns the settings for another version of Kubernetes.
    #[must_use]
    pub fn version(mut self, version: KubeVersion) -> Self {
        self.version = version;
        self
    }

    /// Returns the settings with other formats.
    #[must_use]
    pub fn formats(mut self, formats: Formats) -> Self {
        self.formats = Some(formats);
        self
    }

    /// Returns the settings with unions normalized and validated.
    #[must_use]
    pub fn unions(mut self, unions: union_runtime::Settings) -> Self {
        self.unions = Some(unions);
        self
    }

    /// Returns the settings with another treatment of unknown fields.
    #[must_use]
    pub fn field_validation(mut self, validation: FieldValidation) -> Self {
        self.field_validation = validation;
        self
    }
}
