//! (e) Tests of the controller of `examples/controller` in a cluster whose CRD has a target that
//! the controller does not know; and of the same controller with a serde enum, which then gets no
//! object.

use std::time::Duration;

use futures::StreamExt as _;
use kube::{CustomResource, CustomResourceExt as _};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use union_controller::backup::{self, BackupStatus, S3Target, VolumeTarget};
use union_controller::condition::Condition;
use union_controller::reconcile::{DEFAULT_SCHEDULE, ManagedResource, Plan, PlanError};
use union_controller::run::run as run_controller;
use union_runtime::UnionEnum;

use crate::cluster::{CRDS, Cluster, Deadline, Fallible};
use crate::tally::Tally;

const BACKUPS: &str = "/apis/backup.example.com/v1/namespaces/default/backups";

/// The time that a controller may take to list the objects.
const LIST_TIMEOUT: Duration = Duration::from_secs(30);

/// The resource of a newer version, whose CRD is the one in the cluster.
mod newer_version {
    use super::{
        BackupStatus, CustomResource, Deserialize, JsonSchema, S3Target, Serialize, UnionEnum,
        VolumeTarget,
    };

    #[derive(CustomResource, Serialize, Deserialize, Clone, Debug, JsonSchema)]
    #[kube(
        group = "backup.example.com",
        version = "v1",
        kind = "Backup",
        namespaced,
        status = "BackupStatus"
    )]
    pub(super) struct BackupSpec {
        schedule: Option<String>,
        target: Target,
    }

    #[derive(UnionEnum, Clone, Debug)]
    #[union(discriminator = "type", strict)]
    enum Target {
        S3(S3Target),
        Volume(VolumeTarget),
        Tape(Tape),
    }

    #[derive(Serialize, Deserialize, Clone, Debug, JsonSchema)]
    struct Tape {
        library: String,
        slots: Vec<u32>,
    }
}

/// The resource with a serde enum, without this library.
mod serde_enum {
    use super::{
        BackupStatus, Condition, CustomResource, Deserialize, JsonSchema, ManagedResource, Plan,
        PlanError, S3Target, Serialize, VolumeTarget,
    };

    #[derive(CustomResource, Serialize, Deserialize, Clone, Debug, JsonSchema)]
    #[kube(
        group = "backup.example.com",
        version = "v1",
        kind = "Backup",
        namespaced,
        status = "BackupStatus"
    )]
    pub(super) struct BackupSpec {
        schedule: Option<String>,
        target: Target,
    }

    #[derive(Serialize, Deserialize, Clone, Debug, JsonSchema)]
    #[serde(tag = "type")]
    enum Target {
        S3 { s3: S3Target },
        Volume { volume: VolumeTarget },
    }

    impl ManagedResource for Backup {
        fn plan(&self) -> Result<Plan, PlanError> {
            Ok(Plan(format!("{:?}", self.spec.target)))
        }

        fn schedule_mut(&mut self) -> &mut Option<String> {
            &mut self.spec.schedule
        }

        fn conditions(&self) -> &[Condition] {
            let status = self.status.as_ref();
            status.map_or(&[], |status| &status.conditions)
        }
    }
}

pub(crate) async fn run(cluster: &Cluster) -> Fallible<bool> {
    let mut tally = Tally::default();
    let crd_of_controller = serde_json::to_value(backup::Backup::crd())?;
    let response = cluster
        .post(&format!("{CRDS}?dryRun=All"), &crd_of_controller)
        .await?;
    count_check(&mut tally, response.is_accepted(), || {
        format!("the server rejects the CRD: {:?}", response.causes())
    });
    cluster
        .serve(&serde_json::to_value(newer_version::Backup::crd())?)
        .await?;
    let tape = json!({"type": "Tape", "tape": {"library": "west", "slots": [3, 1]}});
    let s3 = json!({"type": "S3", "s3": {"bucket": "nightly"}});
    create(cluster, "known", &s3).await?;
    create(cluster, "newer", &tape).await?;

    test_serde_enum(cluster, &mut tally).await?;
    let controller = tokio::spawn(run_controller::<backup::Backup>(cluster.client()).for_each(
        |reconcile_result| async {
            if let Err(error) = reconcile_result {
                println!("controller: {error}");
            }
        },
    ));
    let result = test_union_enum(cluster, &s3, &tape, &mut tally).await;
    controller.abort();
    result?;
    Ok(tally.finish("controller", 9))
}

/// Runs the controller with a serde enum: it cannot deserialize the list with the unknown value,
/// and so reconciles none of the objects.
async fn test_serde_enum(cluster: &Cluster, tally: &mut Tally) -> Fallible {
    let mut reconcile_results = Box::pin(run_controller::<serde_enum::Backup>(cluster.client()));
    match tokio::time::timeout(LIST_TIMEOUT, reconcile_results.next()).await? {
        Some(Err(error)) if error.contains("unknown variant `Tape`") => tally.count_agreement(),
        unexpected => {
            tally.add_difference(format!("with a serde enum: {unexpected:?}"));
        }
    }
    for name in ["known", "newer"] {
        let object = cluster.get(&format!("{BACKUPS}/{name}")).await?.body;
        let is_unchanged = object["status"].is_null() && object["spec"]["schedule"].is_null();
        count_check(tally, is_unchanged, || {
            format!("with a serde enum: {object}")
        });
    }
    Ok(())
}

/// Runs the controller with the union enum. The objects exist before it starts, are created while
/// it watches, or are updated from an unknown target to a known one.
async fn test_union_enum(
    cluster: &Cluster,
    s3: &Value,
    tape: &Value,
    tally: &mut Tally,
) -> Fallible {
    wait_for_condition(cluster, "known", s3, "True", tally).await?;
    wait_for_condition(cluster, "newer", tape, "False", tally).await?;
    create(cluster, "watched", tape).await?;
    create(cluster, "watched-known", s3).await?;
    wait_for_condition(cluster, "watched-known", s3, "True", tally).await?;
    wait_for_condition(cluster, "watched", tape, "False", tally).await?;
    let switch =
        json!({"spec": {"target": {"type": "S3", "s3": {"bucket": "nightly"}, "tape": null}}});
    let path = format!("{BACKUPS}/newer");
    let response = cluster
        .patch(&path, "application/merge-patch+json", &switch)
        .await?;
    if !response.is_accepted() {
        return Err(format!("the server rejects the switch: {:?}", response.causes()).into());
    }
    wait_for_condition(cluster, "newer", s3, "True", tally).await
}

async fn create(cluster: &Cluster, name: &str, target: &Value) -> Fallible {
    let object = json!({
        "apiVersion": "backup.example.com/v1",
        "kind": "Backup",
        "metadata": {"name": name},
        "spec": {"target": target},
    });
    let response = cluster.post(BACKUPS, &object).await?;
    if response.is_accepted() {
        Ok(())
    } else {
        Err(format!("the server rejects {name}: {:?}", response.causes()).into())
    }
}

/// Waits until the controller has set the condition for the current generation of an object, and
/// checks its status, the schedule, and that no field of the target is lost.
async fn wait_for_condition(
    cluster: &Cluster,
    name: &str,
    target: &Value,
    status: &str,
    tally: &mut Tally,
) -> Fallible {
    let deadline = Deadline::new();
    loop {
        let object = cluster.get(&format!("{BACKUPS}/{name}")).await?.body;
        let condition = &object["status"]["conditions"][0];
        if condition["observedGeneration"] == object["metadata"]["generation"]
            && object["spec"]["schedule"] == DEFAULT_SCHEDULE
        {
            let message = condition["message"].as_str().unwrap_or_default();
            let is_expected_condition = condition["status"] == status
                && (status == "True"
                    || message.starts_with("spec.target: ") && message.contains("Tape"));
            let is_target_kept = object["spec"]["target"] == *target;
            count_check(tally, is_expected_condition && is_target_kept, || {
                object.to_string()
            });
            return Ok(());
        }
        deadline.wait(name).await?;
    }
}

/// Counts an agreement, or adds a difference.
fn count_check(tally: &mut Tally, is_correct: bool, describe: impl FnOnce() -> String) {
    if is_correct {
        tally.count_agreement();
    } else {
        tally.add_difference(describe());
    }
}
