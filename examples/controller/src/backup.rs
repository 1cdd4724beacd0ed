//! The resource: its schema in a cluster, and the plan of this build for it.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use union_runtime::{RawUnion, UnionEnum};

use crate::condition::Condition;
use crate::reconcile::{Plan, Reconciled, Unsupported};

/// What is backed up when, and where it goes.
#[derive(CustomResource, Serialize, Deserialize, Clone, Debug, PartialEq, JsonSchema)]
#[kube(
    group = "backup.example.com",
    version = "v1",
    kind = "Backup",
    namespaced,
    status = "BackupStatus"
)]
pub struct BackupSpec {
    /// When, as cron has it. The controller fills it in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub schedule: Option<String>,
    /// Where it goes.
    pub target: Target,
}

/// Where backups go.
#[derive(UnionEnum, Clone, Debug, PartialEq)]
#[union(discriminator = "type")]
pub enum Target {
    /// A bucket.
    S3(S3Target),
    /// A claim for a volume.
    Volume(VolumeTarget),
    /// What only newer versions of this controller know.
    #[union(other)]
    Other(RawUnion),
}

/// A bucket.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, JsonSchema)]
pub struct S3Target {
    /// Its name.
    pub bucket: String,
}

/// A claim for a volume.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, JsonSchema)]
pub struct VolumeTarget {
    /// Its name.
    pub claim: String,
}

/// What the controller has to say.
#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, JsonSchema)]
pub struct BackupStatus {
    /// One of each type.
    #[serde(default)]
    #[schemars(extend("x-kubernetes-list-type" = "map", "x-kubernetes-list-map-keys" = ["type"]))]
    pub conditions: Vec<Condition>,
}

impl Reconciled for Backup {
    fn plan(&self) -> Result<Plan, Unsupported> {
        match &self.spec.target {
            Target::S3(S3Target { bucket }) => Ok(Plan(format!("goes to the bucket {bucket}"))),
            Target::Volume(VolumeTarget { claim }) => {
                Ok(Plan(format!("goes to the claim {claim}")))
            }
            Target::Other(raw) => Err(Unsupported(format!("spec.target: {raw}"))),
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
