//! Tests of requests for another version of a kind, and of CRDs that change.

use serde_json::{Value, json};
use union_json::ANNOTATION;

use super::stories::count;
use super::world::{Kind, World, native, refused, same};
use crate::cluster::{CONFLICT, CRDS, Deadline, Fallible, text};
use crate::tally::Tally;

const DRY: &str = "?dryRun=All";

pub(crate) async fn tell(w: &World<'_>, tally: &mut Tally) {
    let told = [
        ("a version that is equivalent", equivalent(w).await),
        ("a version without unions", without_unions(w).await),
        ("a version gets its unions", annotated(w).await),
    ];
    for (name, told) in told {
        count(tally, name, told);
    }
}

/// Checks a rule for `v1` alone: the server converts an object of `v2` to `v1` before it calls the
/// webhook.
async fn equivalent(w: &World<'_>) -> Fallible {
    let things = &w.things;
    let path = things.path("v2");
    let sent = things.object_of("v2", "second", json!({"deduced": {"beta": 2}}));
    let answer = w.cluster.post(&path, &sent).await?;
    same("version", &answer.body["apiVersion"], &sent["apiVersion"])?;
    let completed = json!({"deduced": {"type": "Beta", "beta": 2}});
    w.stored(things, &answer, &completed, &[]).await?;

    let wrong = json!({"optional": {"type": "Beta", "alpha": 1}});
    let sent = things.object_of("v2", "second-wrong", wrong);
    let answer = w.cluster.post(&path, &sent).await?;
    let (_, report) = native(&sent, None)?;
    let status = things.denied("second-wrong", &report)?;
    let fields = ["spec.optional.alpha", "spec.optional.beta"];
    refused(&answer, &status, &fields, &[])
}

fn wrong_backup(backups: &Kind) -> Value {
    let target = json!({"type": "S3", "volume": {"claim": "a"}});
    backups.object_of("v2", "second", json!({"target": target}))
}

/// Checks a rule for all versions: the webhook gets an object of `v2` as it is, and the annotation
/// of the CRD has no unions for `v2`.
async fn without_unions(w: &World<'_>) -> Fallible {
    let sent = wrong_backup(&w.backups);
    let path = w.backups.path("v2") + DRY;
    let answer = w.cluster.post(&path, &sent).await?;
    same("code", &answer.code, &201)?;
    same("spec", &answer.body["spec"], &sent["spec"])?;
    let warning =
        "Backup.db.example.com/v2: not checked, because the webhook has no schema of this version";
    // Both webhooks give this warning, and the server sends it once.
    same("warnings", &answer.warnings, &vec![warning.to_owned()])
}

/// Checks that the webhook notices a new annotation of a CRD without a signal.
async fn annotated(w: &World<'_>) -> Fallible {
    let path = format!("{CRDS}/{}", text(&w.backups.crd["metadata"]["name"]));
    loop {
        let mut crd = w.cluster.get(&path).await?.body;
        let annotation = &mut crd["metadata"]["annotations"][ANNOTATION];
        let mut unions: Value = serde_json::from_str(&text(annotation))?;
        unions["v2"] = unions["v1"].clone();
        *annotation = unions.to_string().into();
        let answer = w.cluster.put(&path, &crd).await?;
        if answer.is_accepted() {
            break;
        }
        same("code", &answer.code, &CONFLICT)?;
    }
    let sent = wrong_backup(&w.backups);
    let path = w.backups.path("v2") + DRY;
    let deadline = Deadline::new();
    let answer = loop {
        let answer = w.cluster.post(&path, &sent).await?;
        if !answer.is_accepted() {
            break answer;
        }
        deadline.wait("the webhook knows the new version").await?;
    };
    let report = w.backups.unions.validate(&sent);
    let status = w.backups.denied("second", &report)?;
    let fields = ["spec.target.s3", "spec.target.volume"];
    refused(&answer, &status, &fields, &[])
}
