//! Tests of requests for another version of a kind, and of CRDs that change.

use serde_json::{Value, json};
use union_json::ANNOTATION;

use super::stories::count_story;
use super::world::{Kind, World, admit_natively, expect_equal, expect_rejection};
use crate::cluster::{CONFLICT, CRDS, Deadline, Fallible, text};
use crate::tally::Tally;

const DRY_RUN: &str = "?dryRun=All";

pub(crate) async fn run(world: &World<'_>, tally: &mut Tally) {
    let results = [
        (
            "a version that is equivalent",
            convert_to_registered_version(world).await,
        ),
        (
            "a version without unions",
            warn_about_version_without_unions(world).await,
        ),
        (
            "a version gets its unions",
            notice_new_annotation(world).await,
        ),
        (
            "unions that disappear",
            reject_after_unions_disappear(world).await,
        ),
    ];
    for (name, result) in results {
        count_story(tally, name, result);
    }
}

/// Checks a rule for `v1` alone: the server converts an object of `v2` to `v1` before it calls the
/// webhook.
async fn convert_to_registered_version(world: &World<'_>) -> Fallible {
    let things = &world.things;
    let path = things.path("v2");
    let new_object = things.object_of("v2", "second", json!({"deduced": {"beta": 2}}));
    let response = world.cluster.post(&path, &new_object).await?;
    expect_equal(
        "version",
        &response.body["apiVersion"],
        &new_object["apiVersion"],
    )?;
    let completed_spec = json!({"deduced": {"type": "Beta", "beta": 2}});
    world
        .expect_stored(things, &response, &completed_spec, &[])
        .await?;

    let invalid_spec = json!({"optional": {"type": "Beta", "alpha": 1}});
    let new_object = things.object_of("v2", "second-wrong", invalid_spec);
    let response = world.cluster.post(&path, &new_object).await?;
    let (_, report) = admit_natively(&new_object, None)?;
    let status = things.rejection_status("second-wrong", &report)?;
    let fields = ["spec.optional.alpha", "spec.optional.beta"];
    expect_rejection(&response, &status, &fields, &[])
}

fn invalid_backup(backups: &Kind) -> Value {
    let target = json!({"type": "S3", "volume": {"claim": "a"}});
    backups.object_of("v2", "second", json!({"target": target}))
}

/// Checks a rule for all versions: the webhook gets an object of `v2` as it is, and the annotation
/// of the CRD has no unions for `v2`.
async fn warn_about_version_without_unions(world: &World<'_>) -> Fallible {
    let new_object = invalid_backup(&world.backups);
    let path = world.backups.path("v2") + DRY_RUN;
    let response = world.cluster.post(&path, &new_object).await?;
    expect_equal("code", &response.code, &201)?;
    expect_equal("spec", &response.body["spec"], &new_object["spec"])?;
    let warning =
        "Backup.db.example.com/v2: not checked, because the webhook has no schema of this version";
    // Both webhooks give this warning, and the server sends it once.
    expect_equal("warnings", &response.warnings, &vec![warning.to_owned()])
}

/// Checks that the webhook notices a new annotation of a CRD without a signal.
async fn notice_new_annotation(world: &World<'_>) -> Fallible {
    let path = format!("{CRDS}/{}", text(&world.backups.crd["metadata"]["name"]));
    loop {
        let mut crd = world.cluster.get(&path).await?.body;
        let annotation = &mut crd["metadata"]["annotations"][ANNOTATION];
        let mut unions: Value = serde_json::from_str(&text(annotation))?;
        unions["v2"] = unions["v1"].clone();
        *annotation = unions.to_string().into();
        let response = world.cluster.put(&path, &crd).await?;
        if response.is_accepted() {
            break;
        }
        expect_equal("code", &response.code, &CONFLICT)?;
    }
    let new_object = invalid_backup(&world.backups);
    let path = world.backups.path("v2") + DRY_RUN;
    let deadline = Deadline::new();
    let response = loop {
        let response = world.cluster.post(&path, &new_object).await?;
        if !response.is_accepted() {
            break response;
        }
        deadline.wait("the webhook knows the new version").await?;
    };
    let report = world.backups.unions.validate(&new_object);
    let status = world.backups.rejection_status("second", &report)?;
    let fields = ["spec.target.s3", "spec.target.volume"];
    expect_rejection(&response, &status, &fields, &[])
}

/// Removes the annotation of a CRD, and checks that the webhook rejects valid objects until the
/// annotation is back. Without that, invalid objects would be accepted unchecked.
async fn reject_after_unions_disappear(world: &World<'_>) -> Fallible {
    let path = format!("{CRDS}/{}", text(&world.backups.crd["metadata"]["name"]));
    let crd = world.cluster.get(&path).await?.body;
    let annotation = &crd["metadata"]["annotations"][ANNOTATION];
    let set_annotation = |value: &Value| json!({"metadata": {"annotations": {ANNOTATION: value}}});
    let (removal, restoration) = (set_annotation(&Value::Null), set_annotation(annotation));
    let target = json!({"type": "S3", "s3": {"bucket": "nightly"}});
    let object = world
        .backups
        .object("unprotected", json!({ "target": target }));
    let objects = world.backups.path("v1") + DRY_RUN;
    let changes = [(removal, 500), (restoration, 201)];
    for (change, code) in changes {
        let content_type = "application/merge-patch+json";
        let response = world.cluster.patch(&path, content_type, &change).await?;
        if !response.is_accepted() {
            return Err(format!("the server rejects the CRD: {response:?}").into());
        }
        let deadline = Deadline::new();
        let response = loop {
            let response = world.cluster.post(&objects, &object).await?;
            if response.code == code {
                break response;
            }
            deadline.wait("the webhook notices the annotation").await?;
        };
        let message = text(&response.body["message"]);
        let has_reason = message.contains("the CRD or its unions have disappeared");
        expect_equal("reason", &has_reason, &(code == 500))?;
    }
    Ok(())
}
