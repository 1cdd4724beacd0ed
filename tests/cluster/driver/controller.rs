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
use union_controller::reconcile::{DEFAULT_SCHEDULE, ManagedResource, Plan, UnsupportedError};
use union_controller::run::run as look_after;
use union_runtime::UnionEnum;

use crate::cluster::{CRDS, Cluster, Deadline, Fallible};
use crate::tally::Tally;

const BACKUPS: &str = "/apis/backup.example.com/v1/namespaces/default/backups";

/// The time that a controller may take to list the objects.
const PATIENCE: Duration = Duration::from_secs(30);

/// The resource of a newer version, whose CRD is the one in the cluster.
mod newer {
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
mod tagged {
    use super::{
        BackupStatus, Condition, CustomResource, Deserialize, JsonSchema, ManagedResource, Plan,
        S3Target, Serialize, UnsupportedError, VolumeTarget,
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
        fn plan(&self) -> Result<Plan, UnsupportedError> {
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
    let own = serde_json::to_value(backup::Backup::crd())?;
    let answer = cluster.post(&format!("{CRDS}?dryRun=All"), &own).await?;
    judge(&mut tally, answer.is_accepted(), || {
        format!("its CRD is refused: {:?}", answer.causes())
    });
    cluster
        .serve(&serde_json::to_value(newer::Backup::crd())?)
        .await?;
    let tape = json!({"type": "Tape", "tape": {"library": "west", "slots": [3, 1]}});
    let s3 = json!({"type": "S3", "s3": {"bucket": "nightly"}});
    create(cluster, "known", &s3).await?;
    create(cluster, "newer", &tape).await?;

    outage(cluster, &mut tally).await?;
    let controller = tokio::spawn(look_after::<backup::Backup>(cluster.client()).for_each(
        |done| async {
            if let Err(error) = done {
                println!("controller: {error}");
            }
        },
    ));
    let told = stories(cluster, &s3, &tape, &mut tally).await;
    controller.abort();
    told?;
    Ok(tally.finish("controller", 9))
}

/// Runs the controller with a serde enum: it cannot deserialize the list with the unknown value,
/// and so reconciles none of the objects.
async fn outage(cluster: &Cluster, tally: &mut Tally) -> Fallible {
    let mut done = Box::pin(look_after::<tagged::Backup>(cluster.client()));
    match tokio::time::timeout(PATIENCE, done.next()).await? {
        Some(Err(error)) if error.contains("unknown variant `Tape`") => tally.agrees(),
        other => tally.differs(format!("with a serde enum: {other:?}")),
    }
    for name in ["known", "newer"] {
        let object = cluster.get(&format!("{BACKUPS}/{name}")).await?.body;
        let untouched = object["status"].is_null() && object["spec"]["schedule"].is_null();
        judge(tally, untouched, || format!("with a serde enum: {object}"));
    }
    Ok(())
}

/// Runs the controller with the union enum. The objects exist before it starts, are created while
/// it watches, or are updated from an unknown target to a known one.
async fn stories(cluster: &Cluster, s3: &Value, tape: &Value, tally: &mut Tally) -> Fallible {
    expect(cluster, "known", s3, "True", tally).await?;
    expect(cluster, "newer", tape, "False", tally).await?;
    create(cluster, "watched", tape).await?;
    create(cluster, "watched-known", s3).await?;
    expect(cluster, "watched-known", s3, "True", tally).await?;
    expect(cluster, "watched", tape, "False", tally).await?;
    let switch =
        json!({"spec": {"target": {"type": "S3", "s3": {"bucket": "nightly"}, "tape": null}}});
    let path = format!("{BACKUPS}/newer");
    let answer = cluster
        .patch(&path, "application/merge-patch+json", &switch)
        .await?;
    if !answer.is_accepted() {
        return Err(format!("the switch is refused: {:?}", answer.causes()).into());
    }
    expect(cluster, "newer", s3, "True", tally).await
}

async fn create(cluster: &Cluster, name: &str, target: &Value) -> Fallible {
    let object = json!({
        "apiVersion": "backup.example.com/v1",
        "kind": "Backup",
        "metadata": {"name": name},
        "spec": {"target": target},
    });
    let answer = cluster.post(BACKUPS, &object).await?;
    if answer.is_accepted() {
        Ok(())
    } else {
        Err(format!("{name} is refused: {:?}", answer.causes()).into())
    }
}

/// Waits until the controller has set the condition for the current generation of an object, and
/// checks its status, the schedule, and that no field of the target is lost.
async fn expect(
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
            let says = condition["status"] == status
                && (status == "True"
                    || message.starts_with("spec.target: ") && message.contains("Tape"));
            let whole = object["spec"]["target"] == *target;
            judge(tally, says && whole, || object.to_string());
            return Ok(());
        }
        deadline.wait(name).await?;
    }
}

fn judge(tally: &mut Tally, good: bool, object: impl FnOnce() -> String) {
    if good {
        tally.agrees();
    } else {
        tally.differs(object());
    }
}
