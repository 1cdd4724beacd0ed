//! Creates admission policies for the unions of a CRD.

use union_policy::{Policies, PolicyError, Settings};

use crate::crd::Crd;

impl Crd {
    /// Returns the `MutatingAdmissionPolicy` objects that normalize the unions without a webhook,
    /// and their bindings. See [`union_policy`].
    ///
    /// ```
    /// # use kube::CustomResource;
    /// # use schemars::JsonSchema;
    /// # use serde::{Deserialize, Serialize};
    /// # use union_kube::Crd;
    /// # use union_runtime::{EnumType, Union};
    /// #[derive(EnumType, Serialize, Deserialize, Clone, Debug, JsonSchema)]
    /// enum Kind {
    ///     S3,
    ///     Volume,
    /// }
    ///
    /// #[derive(Union, CustomResource, Serialize, Deserialize, Clone, Debug, JsonSchema)]
    /// #[kube(group = "docs.example.com", version = "v1", kind = "Backup", namespaced)]
    /// #[schemars(transform = union_runtime::add_unions::<BackupSpec>)]
    /// struct BackupSpec {
    ///     #[union(discriminator)]
    ///     kind: Kind,
    ///     #[union(member = "S3")]
    ///     #[serde(skip_serializing_if = "Option::is_none")]
    ///     s3: Option<String>,
    ///     #[union(member)]
    ///     #[serde(skip_serializing_if = "Option::is_none")]
    ///     volume: Option<String>,
    /// }
    ///
    /// let policies = Crd::from_type::<Backup>()?.mutating_policies(&Default::default())?;
    /// assert_eq!(
    ///     policies.objects[0]["metadata"]["name"],
    ///     "normalize-unions.v1.backups.docs.example.com",
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if [`union_policy::mutating_policies`] does.
    pub fn mutating_policies(&self, settings: &Settings) -> Result<Policies, PolicyError> {
        union_policy::mutating_policies(self.for_cluster(), settings)
    }

    /// Returns the `ValidatingAdmissionPolicy` objects that reject invalid unions, and their
    /// bindings. The rules of a CRD reject invalid unions too. In addition, policies tolerate
    /// errors that the stored object has for the same reason, on API servers of any version.
    ///
    /// # Errors
    ///
    /// Returns an error if [`union_policy::validating_policies`] does.
    pub fn validating_policies(&self, settings: &Settings) -> Result<Policies, PolicyError> {
        union_policy::validating_policies(self.for_cluster(), settings)
    }
}
