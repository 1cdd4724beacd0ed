//! Tests of creates, updates and patches with an expected response.

use serde_json::{Value, json};
use union_runtime::Settings;

use super::manifests::NAMESPACE;
use super::world::{Kind, World, native, refused, same, warning};
use crate::cluster::{Fallible, text};
use crate::tally::Tally;

/// Returns objects of the second kind to store before the webhooks are registered.
pub(crate) fn legacy_things(things: &Kind) -> Vec<Value> {
    let wrong = json!({"optional": {"type": "None", "beta": {"exec": 1}}});
    vec![
        things.object("legacy", wrong.clone()),
        things.object("legacy-healed", wrong),
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

pub(crate) async fn tell(w: &World<'_>, tally: &mut Tally) {
    let told = [
        ("a create is completed, or left", creates(w).await),
        ("a wrong create", wrong_create(w).await),
        ("a wrong create that gets a name", generated(w).await),
        ("a wrong create that the server sees too", both_see(w).await),
        ("an unaware client switches", switch(w).await),
        ("a client forgets the discriminator", forgotten(w).await),
        ("stored wrong before", legacy(w).await),
        ("stored wrong before, under rules", legacy_backup(w).await),
        ("a wrong object is healed", healed(w).await),
        ("a union in a status", status(w).await),
        ("patches", patches(w).await),
        ("dry runs", dry_run(w).await),
        ("the namespace of the webhook", own_namespace(w).await),
    ];
    for (name, told) in told {
        count(tally, name, told);
    }
}

/// Counts the result of a story.
pub(crate) fn count(tally: &mut Tally, name: &str, told: Fallible) {
    match told {
        Ok(()) => tally.agrees(),
        Err(error) => tally.differs(format!("{name}: {error}")),
    }
}

/// Returns the response and the warnings of the webhook for an object that native `admit_unions`
/// rejects.
fn refusal(
    kind: &Kind,
    name: &str,
    new: &Value,
    old: Option<&Value>,
) -> Fallible<(Value, Vec<String>)> {
    let (_, report) = native(new, old)?;
    if report.is_accepted() {
        return Err("natively it is accepted".into());
    }
    let warnings = report.tolerated().iter().map(warning).collect();
    Ok((kind.denied(name, &report)?, warnings))
}

async fn creates(w: &World<'_>) -> Fallible {
    let things = &w.things;
    let sent = things.object("completed", json!({"deduced": {"beta": 2}}));
    let answer = w.cluster.post(&things.path("v1"), &sent).await?;
    let completed = json!({"deduced": {"type": "Beta", "beta": 2}});
    w.stored(things, &answer, &completed, &[]).await?;
    let left = json!({"optional": {"type": "Alpha", "alpha": 1}, "exactlyOne": {"literal": "a"}});
    w.create(things, "left", &left).await?;
    let target = json!({"type": "S3", "s3": {"bucket": "a"}});
    w.create(&w.backups, "left", &json!({"target": target}))
        .await
}

async fn wrong_create(w: &World<'_>) -> Fallible {
    let things = &w.things;
    let sent = things.object("wrong", json!({"optional": {"type": "Beta", "alpha": 1}}));
    let answer = w.cluster.post(&things.path("v1"), &sent).await?;
    let (status, _) = refusal(things, "wrong", &sent, None)?;
    let fields = ["spec.optional.alpha", "spec.optional.beta"];
    refused(&answer, &status, &fields, &[])?;
    match w.get(things, "wrong").await {
        Err(_) => Ok(()),
        Ok(stored) => Err(format!("it is stored: {stored}").into()),
    }
}

/// Checks that a generated name is in the response: the server makes the name before it calls the
/// validating webhook.
async fn generated(w: &World<'_>) -> Fallible {
    let things = &w.things;
    let mut sent = things.object("", json!({"atMostOne": {"exec": 1, "http": 2}}));
    sent["metadata"] = json!({"generateName": "made-", "namespace": "default"});
    let answer = w.cluster.post(&things.path("v1"), &sent).await?;
    let name = text(&answer.body["details"]["name"]);
    if !name.starts_with("made-") || name == "made-" {
        return Err(format!("its name is {name:?}: {}", answer.body).into());
    }
    let (status, _) = refusal(things, &name, &sent, None)?;
    refused(&answer, &status, &["spec.atMostOne"], &[])
}

/// Checks an object that both the schema and the webhook reject: rules and enums are evaluated
/// before validating webhooks, so the client gets the server's response.
async fn both_see(w: &World<'_>) -> Fallible {
    let target = json!({"type": "S3", "volume": {"claim": "a"}});
    let backup = w.backups.object("wrong", json!({"target": target}));
    let thing = w
        .things
        .object("wrong", json!({"optional": {"type": "Gamma", "beta": {}}}));
    let fields = ["spec.target.s3", "spec.target.volume"];
    for (kind, sent, fields) in [
        (&w.backups, backup, &fields[..]),
        (&w.things, thing, &["spec.optional.type"]),
    ] {
        if kind.unions.validate(&sent).is_accepted() {
            return Err("the webhook would accept it".into());
        }
        let report = kind.schema.create(
            &mut sent.clone(),
            &k8s_crd_validation::ServerSettings::default(),
        );
        let status = kind.status("wrong", &report);
        let answer = w.cluster.post(&kind.path("v1"), &sent).await?;
        let status = status.ok_or("nothing is wrong")?;
        refused(&answer, &status, fields, &[])?;
    }
    Ok(())
}

async fn switch(w: &World<'_>) -> Fallible {
    let before = json!({"optional": {"type": "Alpha", "alpha": 1}});
    w.create(&w.things, "switched", &before).await?;
    let change = |new: &mut Value| {
        new["spec"]["optional"]["type"] = "Beta".into();
        new["spec"]["optional"]["beta"] = json!({"exec": 1});
    };
    let (answer, ..) = w.update(&w.things, "switched", "", change).await?;
    let after = json!({"optional": {"type": "Beta", "beta": {"exec": 1}}});
    w.stored(&w.things, &answer, &after, &[]).await?;

    // The webhook normalizes the union although CEL rules validate it.
    let target = json!({"type": "S3", "s3": {"bucket": "a"}});
    w.create(&w.backups, "switched", &json!({"target": target}))
        .await?;
    let change = |new: &mut Value| {
        new["spec"]["target"]["type"] = "Volume".into();
        new["spec"]["target"]["volume"] = json!({"claim": "b"});
    };
    let (answer, ..) = w.update(&w.backups, "switched", "", change).await?;
    let target = json!({"type": "Volume", "volume": {"claim": "b"}});
    w.stored(&w.backups, &answer, &json!({"target": target}), &[])
        .await
}

async fn forgotten(w: &World<'_>) -> Fallible {
    let things = &w.things;
    let before = json!({"optional": {"type": "Alpha", "alpha": 1}});
    w.create(things, "forgotten", &before).await?;
    let change = |new: &mut Value| new["spec"]["optional"]["beta"] = json!({"exec": 1});
    let (answer, old, new) = w.update(things, "forgotten", "", change).await?;
    let (status, _) = refusal(things, "forgotten", &new, Some(&old))?;
    refused(&answer, &status, &["spec.optional.beta"], &[])?;
    let says = "a client that changes members must change `type` too: set it to \"Beta\"";
    let message = text(&answer.body["message"]);
    same("what to do is said", &message.contains(says), &true)?;
    let stored = w.get(things, "forgotten").await?;
    same("stored spec", &stored["spec"], &before)
}

const TOLERATED: &str = "tolerated, because the stored object has the same error: spec.optional.beta: Invalid value: \"\": ";

async fn legacy(w: &World<'_>) -> Fallible {
    let things = &w.things;
    let change = |new: &mut Value| new["metadata"]["labels"] = json!({"team": "storage"});
    let (answer, old, new) = w.update(things, "legacy", "", change).await?;
    let report = native(&new, Some(&old))?.1.into_result()?;
    let foretold: Vec<String> = report.tolerated().iter().map(warning).collect();
    w.stored(things, &answer, &old["spec"], &foretold).await?;
    let is_told = answer.warnings[0].starts_with(TOLERATED);
    same("what is tolerated is said", &is_told, &true)?;

    let change = |new: &mut Value| new["status"] = json!({"atMostOne": {"exec": 1}});
    let (answer, ..) = w.update(things, "legacy", "/status", change).await?;
    w.stored(things, &answer, &old["spec"], &foretold).await?;
    let status = json!({"atMostOne": {"exec": 1}});
    same("status", &answer.body["status"], &status)?;

    let change = |new: &mut Value| new["spec"]["optional"]["alpha"] = 1.into();
    let (answer, old, new) = w.update(things, "legacy", "", change).await?;
    let (status, warnings) = refusal(things, "legacy", &new, Some(&old))?;
    same("warnings foretold", &warnings.len(), &1)?;
    refused(&answer, &status, &["spec.optional.alpha"], &warnings)
}

/// Checks warnings about tolerated violations: the server also warns about tolerated rules, and
/// does not warn about a tolerated enum.
async fn legacy_backup(w: &World<'_>) -> Fallible {
    let backups = &w.backups;
    let change = |new: &mut Value| new["metadata"]["labels"] = json!({"team": "storage"});
    let (answer, old, new) = w.update(backups, "legacy", "", change).await?;
    let judged = backups.schema.update(
        &mut new.clone(),
        &old,
        &k8s_crd_validation::ServerSettings::default(),
    );
    let mut foretold = judged.warnings().to_vec();
    let report = backups
        .unions
        .validate_update(&new, &old, &Settings::default())
        .into_result()?;
    foretold.extend(report.tolerated().iter().map(warning));
    same("warnings foretold", &foretold.len(), &2)?;
    w.stored(backups, &answer, &old["spec"], &foretold).await
}

async fn healed(w: &World<'_>) -> Fallible {
    let change = |new: &mut Value| new["spec"]["optional"]["type"] = "Beta".into();
    let (answer, ..) = w.update(&w.things, "legacy-healed", "", change).await?;
    let healed = json!({"optional": {"type": "Beta", "beta": {"exec": 1}}});
    w.stored(&w.things, &answer, &healed, &[]).await
}

/// Checks that the shipped configuration validates a status, and does not normalize it, because the
/// writer of a status knows the type.
async fn status(w: &World<'_>) -> Fallible {
    let things = &w.things;
    w.create(things, "status", &json!({})).await?;
    let alpha = json!({"optional": {"type": "Alpha", "alpha": 1}});
    let change = |new: &mut Value| new["status"] = alpha.clone();
    let (answer, ..) = w.update(things, "status", "/status", change).await?;
    w.stored(things, &answer, &json!({}), &[]).await?;
    same("status", &answer.body["status"], &alpha)?;

    let both = json!({"optional": {"type": "Beta", "alpha": 1, "beta": {"exec": 1}}});
    let change = |new: &mut Value| new["status"] = both.clone();
    let (answer, old, new) = w.update(things, "status", "/status", change).await?;
    let report = things
        .unions
        .validate_update(&new, &old, &Settings::default());
    let status = things.denied("status", &report)?;
    refused(&answer, &status, &["status.optional.alpha"], &[])?;

    // The server ignores a status that is sent to the main resource.
    let change = |new: &mut Value| new["status"] = both.clone();
    let (answer, ..) = w.update(things, "status", "", change).await?;
    w.stored(things, &answer, &json!({}), &[]).await?;
    same("status", &answer.body["status"], &alpha)
}

async fn patches(w: &World<'_>) -> Fallible {
    const MERGE: &str = "application/merge-patch+json";
    let alpha = json!({"optional": {"type": "Alpha", "alpha": 1}});
    let switched = json!({"optional": {"type": "Beta", "beta": {"exec": 1}}});
    let patches = [
        ("merge", MERGE, json!({"spec": switched})),
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
        w.create(&w.things, name, &alpha).await?;
        let path = format!("{}/{name}", w.things.path("v1"));
        let answer = w.cluster.patch(&path, kind, patch).await?;
        w.stored(&w.things, &answer, &switched, &[]).await?;
    }

    let path = format!("{}/merge", w.things.path("v1"));
    let forgets = json!({"spec": {"optional": {"alpha": 2}}});
    let old = w.get(&w.things, "merge").await?;
    let answer = w.cluster.patch(&path, MERGE, &forgets).await?;
    let mut new = old.clone();
    new["spec"]["optional"]["alpha"] = 2.into();
    let (status, _) = refusal(&w.things, "merge", &new, Some(&old))?;
    refused(&answer, &status, &["spec.optional.alpha"], &[])?;

    // Custom resources do not support strategic merge patches, so the webhook gets none.
    let kind = "application/strategic-merge-patch+json";
    let answer = w.cluster.patch(&path, kind, &forgets).await?;
    same("code of a strategic merge patch", &answer.code, &415)
}

async fn dry_run(w: &World<'_>) -> Fallible {
    let things = &w.things;
    let path = format!("{}?dryRun=All", things.path("v1"));
    let sent = things.object("dry", json!({"deduced": {"beta": 2}}));
    let answer = w.cluster.post(&path, &sent).await?;
    let completed = json!({"deduced": {"type": "Beta", "beta": 2}});
    same("spec", &answer.body["spec"], &completed)?;
    let sent = things.object("dry", json!({"optional": {"type": "Alpha"}}));
    let answer = w.cluster.post(&path, &sent).await?;
    let (status, _) = refusal(things, "dry", &sent, None)?;
    refused(&answer, &status, &["spec.optional.alpha"], &[])?;
    let is_stored = w.get(things, "dry").await.is_ok();
    same("something is stored", &is_stored, &false)
}

/// Checks that objects in the webhook's own namespace are excluded by the selector of the shipped
/// configuration.
pub(crate) async fn own_namespace(w: &World<'_>) -> Fallible {
    let path = w.things.path("v1").replace("/default/", "/union-webhook/");
    let wrong = json!({"deduced": {"beta": 2}, "optional": {"type": "Beta", "alpha": 1}});
    let mut sent = w.things.object("own", wrong.clone());
    sent["metadata"]["namespace"] = NAMESPACE.into();
    let answer = w.cluster.post(&format!("{path}?dryRun=All"), &sent).await?;
    same("code", &answer.code, &201)?;
    same("spec", &answer.body["spec"], &wrong)
}
