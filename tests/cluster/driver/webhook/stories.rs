//! Tests of creates, updates and patches with an expected response.

use serde_json::{Value, json};
use union_runtime::Settings;

use super::manifests::NAMESPACE;
use super::world::{Kind, World, admit_natively, expect_equal, expect_rejection, warning};
use crate::cluster::{Fallible, text};
use crate::tally::Tally;

/// Returns objects of the second kind to store before the webhooks are registered.
pub(crate) fn legacy_things(things: &Kind) -> Vec<Value> {
    let invalid_spec = json!({"optional": {"type": "None", "beta": {"exec": 1}}});
    vec![
        things.object("legacy", invalid_spec.clone()),
        things.object("legacy-healed", invalid_spec),
        things.object(
            "legacy-applied",
            json!({"atMostOne": {"exec": 1, "http": 2}}),
        ),
    ]
}

/// Returns an object with the same target as the sample `legacy.json`.
pub(crate) fn legacy_backups(backups: &Kind) -> Vec<Value> {
    let target = json!({"type": "Tape", "s3": {"bucket": "nightly"}});
    vec![backups.object("legacy", json!({"target": target}))]
}

pub(crate) async fn run(world: &World<'_>, tally: &mut Tally) {
    let results = [
        (
            "a create is completed, or left",
            complete_create(world).await,
        ),
        ("a wrong create", reject_invalid_create(world).await),
        (
            "a wrong create that gets a name",
            reject_generated_name(world).await,
        ),
        (
            "a wrong create that the server sees too",
            reject_by_schema_first(world).await,
        ),
        ("an unaware client switches", normalize_switch(world).await),
        (
            "a client forgets the discriminator",
            reject_forgotten_discriminator(world).await,
        ),
        ("stored wrong before", tolerate_legacy_errors(world).await),
        (
            "stored wrong before, under rules",
            tolerate_legacy_rule_errors(world).await,
        ),
        ("a wrong object is healed", heal_invalid_object(world).await),
        ("a union in a status", status(world).await),
        ("patches", patches(world).await),
        ("dry runs", dry_run(world).await),
        ("the namespace of the webhook", own_namespace(world).await),
    ];
    for (name, result) in results {
        count_story(tally, name, result);
    }
}

/// Counts the result of a story.
pub(crate) fn count_story(tally: &mut Tally, name: &str, result: Fallible) {
    match result {
        Ok(()) => tally.count_agreement(),
        Err(error) => tally.add_difference(format!("{name}: {error}")),
    }
}

/// Returns the response and the warnings of the webhook for an object that native `admit_unions`
/// rejects.
fn native_rejection(
    kind: &Kind,
    name: &str,
    new: &Value,
    old: Option<&Value>,
) -> Fallible<(Value, Vec<String>)> {
    let (_, report) = admit_natively(new, old)?;
    if report.is_accepted() {
        return Err("native validation accepts the object".into());
    }
    let warnings = report.tolerated().iter().map(warning).collect();
    Ok((kind.rejection_status(name, &report)?, warnings))
}

async fn complete_create(world: &World<'_>) -> Fallible {
    let things = &world.things;
    let new_object = things.object("completed", json!({"deduced": {"beta": 2}}));
    let response = world.cluster.post(&things.path("v1"), &new_object).await?;
    let completed = json!({"deduced": {"type": "Beta", "beta": 2}});
    world
        .expect_stored(things, &response, &completed, &[])
        .await?;
    let valid_spec =
        json!({"optional": {"type": "Alpha", "alpha": 1}, "exactlyOne": {"literal": "a"}});
    world.create(things, "left", &valid_spec).await?;
    let target = json!({"type": "S3", "s3": {"bucket": "a"}});
    world
        .create(&world.backups, "left", &json!({"target": target}))
        .await
}

async fn reject_invalid_create(world: &World<'_>) -> Fallible {
    let things = &world.things;
    let new_object = things.object("wrong", json!({"optional": {"type": "Beta", "alpha": 1}}));
    let response = world.cluster.post(&things.path("v1"), &new_object).await?;
    let (status, _) = native_rejection(things, "wrong", &new_object, None)?;
    let fields = ["spec.optional.alpha", "spec.optional.beta"];
    expect_rejection(&response, &status, &fields, &[])?;
    match world.get(things, "wrong").await {
        Err(_) => Ok(()),
        Ok(stored) => Err(format!("the object is stored: {stored}").into()),
    }
}

/// Checks that a generated name is in the response: the server makes the name before it calls the
/// validating webhook.
async fn reject_generated_name(world: &World<'_>) -> Fallible {
    let things = &world.things;
    let mut new_object = things.object("", json!({"atMostOne": {"exec": 1, "http": 2}}));
    new_object["metadata"] = json!({"generateName": "made-", "namespace": "default"});
    let response = world.cluster.post(&things.path("v1"), &new_object).await?;
    let name = text(&response.body["details"]["name"]);
    if !name.starts_with("made-") || name == "made-" {
        return Err(format!("the generated name is {name:?}: {}", response.body).into());
    }
    let (status, _) = native_rejection(things, &name, &new_object, None)?;
    expect_rejection(&response, &status, &["spec.atMostOne"], &[])
}

/// Checks an object that both the schema and the webhook reject: rules and enums are evaluated
/// before validating webhooks, so the client gets the server's response.
async fn reject_by_schema_first(world: &World<'_>) -> Fallible {
    let target = json!({"type": "S3", "volume": {"claim": "a"}});
    let backup = world.backups.object("wrong", json!({"target": target}));
    let thing = world
        .things
        .object("wrong", json!({"optional": {"type": "Gamma", "beta": {}}}));
    let fields = ["spec.target.s3", "spec.target.volume"];
    for (kind, new_object, fields) in [
        (&world.backups, backup, &fields[..]),
        (&world.things, thing, &["spec.optional.type"]),
    ] {
        if kind.unions.validate(&new_object).is_accepted() {
            return Err("the webhook would accept the object".into());
        }
        let report = kind.schema.create(
            &mut new_object.clone(),
            &k8s_crd_validation::ServerSettings::default(),
        );
        let status = kind.status("wrong", &report);
        let response = world.cluster.post(&kind.path("v1"), &new_object).await?;
        let status = status.ok_or("the report has no errors")?;
        expect_rejection(&response, &status, fields, &[])?;
    }
    Ok(())
}

async fn normalize_switch(world: &World<'_>) -> Fallible {
    let old_spec = json!({"optional": {"type": "Alpha", "alpha": 1}});
    world.create(&world.things, "switched", &old_spec).await?;
    let change = |new: &mut Value| {
        new["spec"]["optional"]["type"] = "Beta".into();
        new["spec"]["optional"]["beta"] = json!({"exec": 1});
    };
    let (response, ..) = world.update(&world.things, "switched", "", change).await?;
    let new_spec = json!({"optional": {"type": "Beta", "beta": {"exec": 1}}});
    world
        .expect_stored(&world.things, &response, &new_spec, &[])
        .await?;

    // The webhook normalizes the union although CEL rules validate it.
    let target = json!({"type": "S3", "s3": {"bucket": "a"}});
    world
        .create(&world.backups, "switched", &json!({"target": target}))
        .await?;
    let change = |new: &mut Value| {
        new["spec"]["target"]["type"] = "Volume".into();
        new["spec"]["target"]["volume"] = json!({"claim": "b"});
    };
    let (response, ..) = world.update(&world.backups, "switched", "", change).await?;
    let target = json!({"type": "Volume", "volume": {"claim": "b"}});
    world
        .expect_stored(&world.backups, &response, &json!({"target": target}), &[])
        .await
}

async fn reject_forgotten_discriminator(world: &World<'_>) -> Fallible {
    let things = &world.things;
    let old_spec = json!({"optional": {"type": "Alpha", "alpha": 1}});
    world.create(things, "forgotten", &old_spec).await?;
    let change = |new: &mut Value| new["spec"]["optional"]["beta"] = json!({"exec": 1});
    let (response, old, new) = world.update(things, "forgotten", "", change).await?;
    let (status, _) = native_rejection(things, "forgotten", &new, Some(&old))?;
    expect_rejection(&response, &status, &["spec.optional.beta"], &[])?;
    let hint = "a client that changes members must change `type` too: set it to \"Beta\"";
    let message = text(&response.body["message"]);
    expect_equal("the message has the remedy", &message.contains(hint), &true)?;
    let stored = world.get(things, "forgotten").await?;
    expect_equal("stored spec", &stored["spec"], &old_spec)
}

const TOLERATED: &str = "tolerated, because the stored object has the same error: spec.optional.beta: Invalid value: \"\": ";

async fn tolerate_legacy_errors(world: &World<'_>) -> Fallible {
    let things = &world.things;
    let change = |new: &mut Value| new["metadata"]["labels"] = json!({"team": "storage"});
    let (response, old, new) = world.update(things, "legacy", "", change).await?;
    let report = admit_natively(&new, Some(&old))?.1.into_result()?;
    let expected_warnings: Vec<String> = report.tolerated().iter().map(warning).collect();
    world
        .expect_stored(things, &response, &old["spec"], &expected_warnings)
        .await?;
    let is_reported = response.warnings[0].starts_with(TOLERATED);
    expect_equal("the tolerated error is reported", &is_reported, &true)?;

    let change = |new: &mut Value| new["status"] = json!({"atMostOne": {"exec": 1}});
    let (response, ..) = world.update(things, "legacy", "/status", change).await?;
    world
        .expect_stored(things, &response, &old["spec"], &expected_warnings)
        .await?;
    let status = json!({"atMostOne": {"exec": 1}});
    expect_equal("status", &response.body["status"], &status)?;

    let change = |new: &mut Value| new["spec"]["optional"]["alpha"] = 1.into();
    let (response, old, new) = world.update(things, "legacy", "", change).await?;
    let (status, warnings) = native_rejection(things, "legacy", &new, Some(&old))?;
    expect_equal("number of warnings", &warnings.len(), &1)?;
    expect_rejection(&response, &status, &["spec.optional.alpha"], &warnings)
}

/// Checks warnings about tolerated violations: the server also warns about tolerated rules, and
/// does not warn about a tolerated enum.
async fn tolerate_legacy_rule_errors(world: &World<'_>) -> Fallible {
    let backups = &world.backups;
    let change = |new: &mut Value| new["metadata"]["labels"] = json!({"team": "storage"});
    let (response, old, new) = world.update(backups, "legacy", "", change).await?;
    let schema_report = backups.schema.update(
        &mut new.clone(),
        &old,
        &k8s_crd_validation::ServerSettings::default(),
    );
    let mut expected_warnings = schema_report.warnings().to_vec();
    let report = backups
        .unions
        .validate_update(&new, &old, &Settings::default())
        .into_result()?;
    expected_warnings.extend(report.tolerated().iter().map(warning));
    expect_equal("number of warnings", &expected_warnings.len(), &2)?;
    world
        .expect_stored(backups, &response, &old["spec"], &expected_warnings)
        .await
}

async fn heal_invalid_object(world: &World<'_>) -> Fallible {
    let change = |new: &mut Value| new["spec"]["optional"]["type"] = "Beta".into();
    let (response, ..) = world
        .update(&world.things, "legacy-healed", "", change)
        .await?;
    let healed_spec = json!({"optional": {"type": "Beta", "beta": {"exec": 1}}});
    world
        .expect_stored(&world.things, &response, &healed_spec, &[])
        .await
}

/// Checks that the shipped configuration validates a status, and does not normalize it, because the
/// writer of a status knows the type.
async fn status(world: &World<'_>) -> Fallible {
    let things = &world.things;
    world.create(things, "status", &json!({})).await?;
    let alpha = json!({"optional": {"type": "Alpha", "alpha": 1}});
    let change = |new: &mut Value| new["status"] = alpha.clone();
    let (response, ..) = world.update(things, "status", "/status", change).await?;
    world
        .expect_stored(things, &response, &json!({}), &[])
        .await?;
    expect_equal("status", &response.body["status"], &alpha)?;

    let spec_with_both = json!({"optional": {"type": "Beta", "alpha": 1, "beta": {"exec": 1}}});
    let change = |new: &mut Value| new["status"] = spec_with_both.clone();
    let (response, old, new) = world.update(things, "status", "/status", change).await?;
    let report = things
        .unions
        .validate_update(&new, &old, &Settings::default());
    let status = things.rejection_status("status", &report)?;
    expect_rejection(&response, &status, &["status.optional.alpha"], &[])?;

    // The server ignores a status that is sent to the main resource.
    let change = |new: &mut Value| new["status"] = spec_with_both.clone();
    let (response, ..) = world.update(things, "status", "", change).await?;
    world
        .expect_stored(things, &response, &json!({}), &[])
        .await?;
    expect_equal("status", &response.body["status"], &alpha)
}

async fn patches(world: &World<'_>) -> Fallible {
    const MERGE_PATCH: &str = "application/merge-patch+json";
    let alpha = json!({"optional": {"type": "Alpha", "alpha": 1}});
    let switched_spec = json!({"optional": {"type": "Beta", "beta": {"exec": 1}}});
    let patches = [
        ("merge", MERGE_PATCH, json!({"spec": switched_spec})),
        (
            "json",
            "application/json-patch+json",
            json!([
                {"op": "replace", "path": "/spec/optional/type", "value": "Beta"},
                {"op": "add", "path": "/spec/optional/beta", "value": {"exec": 1}},
            ]),
        ),
    ];
    for (name, kind, patch) in &patches {
        world.create(&world.things, name, &alpha).await?;
        let path = format!("{}/{name}", world.things.path("v1"));
        let response = world.cluster.patch(&path, kind, patch).await?;
        world
            .expect_stored(&world.things, &response, &switched_spec, &[])
            .await?;
    }

    let path = format!("{}/merge", world.things.path("v1"));
    let patch_without_type = json!({"spec": {"optional": {"alpha": 2}}});
    let old = world.get(&world.things, "merge").await?;
    let response = world
        .cluster
        .patch(&path, MERGE_PATCH, &patch_without_type)
        .await?;
    let mut new = old.clone();
    new["spec"]["optional"]["alpha"] = 2.into();
    let (status, _) = native_rejection(&world.things, "merge", &new, Some(&old))?;
    expect_rejection(&response, &status, &["spec.optional.alpha"], &[])?;

    // Custom resources do not support strategic merge patches, so the webhook gets none.
    let kind = "application/strategic-merge-patch+json";
    let response = world
        .cluster
        .patch(&path, kind, &patch_without_type)
        .await?;
    expect_equal("code of a strategic merge patch", &response.code, &415)
}

async fn dry_run(world: &World<'_>) -> Fallible {
    let things = &world.things;
    let path = format!("{}?dryRun=All", things.path("v1"));
    let new_object = things.object("dry", json!({"deduced": {"beta": 2}}));
    let response = world.cluster.post(&path, &new_object).await?;
    let completed = json!({"deduced": {"type": "Beta", "beta": 2}});
    expect_equal("spec", &response.body["spec"], &completed)?;
    let new_object = things.object("dry", json!({"optional": {"type": "Alpha"}}));
    let response = world.cluster.post(&path, &new_object).await?;
    let (status, _) = native_rejection(things, "dry", &new_object, None)?;
    expect_rejection(&response, &status, &["spec.optional.alpha"], &[])?;
    let is_stored = world.get(things, "dry").await.is_ok();
    expect_equal("something is stored", &is_stored, &false)
}

/// Checks that objects in the webhook's own namespace are excluded by the selector of the shipped
/// configuration.
pub(crate) async fn own_namespace(world: &World<'_>) -> Fallible {
    let path = world
        .things
        .path("v1")
        .replace("/default/", "/union-webhook/");
    let invalid_spec = json!({"deduced": {"beta": 2}, "optional": {"type": "Beta", "alpha": 1}});
    let mut new_object = world.things.object("own", invalid_spec.clone());
    new_object["metadata"]["namespace"] = NAMESPACE.into();
    let response = world
        .cluster
        .post(&format!("{path}?dryRun=All"), &new_object)
        .await?;
    expect_equal("code", &response.code, &201)?;
    expect_equal("spec", &response.body["spec"], &invalid_spec)
}
