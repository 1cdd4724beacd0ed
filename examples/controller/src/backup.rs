//! The resource `Backup`, and the plan of this build for a backup.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use union_runtime::{RawUnion, Union as _, UnionEnum};

use crate::condition::Condition;
use crate::reconcile::{ManagedResource, Plan, PlanError};

/// The schedule and the target of a backup.
#[derive(CustomResource, Serialize, Deserialize, Clone, Debug, PartialEq, JsonSchema)]
#[kube(
    group = "backup.example.com",
    version = "v1",
    kind = "Backup",
    namespaced,
    status = "BackupStatus"
)]
pub struct BackupSpec {
    /// The schedule, in the format of cron. The controller sets the default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub schedule: Option<String>,
    /// The target of the backup.
    pub target: Target,
}

/// The target of a backup.
#[derive(UnionEnum, Clone, Debug, PartialEq)]
#[union(discriminator = "type")]
pub enum Target {
    /// A bucket of S3.
    S3(S3Target),
    /// A claim for a volume.
    Volume(VolumeTarget),
    /// A target that only newer versions of this controller know.
    #[union(other)]
    Other(RawUnion),
}

/// A bucket of S3.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, JsonSchema)]
pub struct S3Target {
    /// The name of the bucket.
    pub bucket: String,
}

/// A claim for a volume.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, JsonSchema)]
pub struct VolumeTarget {
    /// The name of the claim.
    pub claim: String,
}

/// The status of a backup, as the controller reports it.
#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, JsonSchema)]
pub struct BackupStatus {
    /// The conditions of the backup, at most one for each type.
    #[serde(default)]
    #[schemars(extend("x-kubernetes-list-type" = "map", "x-kubernetes-list-map-keys" = ["type"]))]
    pub conditions: Vec<Condition>,
}

impl ManagedResource for Backup {
    fn plan(&self) -> Result<Plan, PlanError> {
        let target = &self.spec.target;
        // `validate_unions` would reject a target of a newer version too.
        let report = target.validate_known_unions().under(["spec", "target"]);
        if !report.is_accepted() {
            return Err(PlanError::Invalid(report.to_string()));
        }
        match target {
            Target::S3(S3Target { bucket }) => Ok(Plan(format!("writes to the bucket {bucket}"))),
            Target::Volume(VolumeTarget { claim }) => {
                Ok(Plan(format!("writes to the claim {claim}")))
            }
            Target::Other(raw) => Err(PlanError::Unsupported(format!(
                "spec.target: unknown to this version: {raw}"
            ))),
        }
    }

    fn schedule_mut(&mut self) -> &mut Option<String> {
        &mut self.spec.schedule
    }

    fn conditions(&self) -> &[Condition] {
        self.status
            .as_ref()
            .map_or(&[], |status| &status.conditions)
    }
}
