//! Tests of server-side apply: the webhook gets it as an update, and normalizes the merged object.

use kube::Error;
use serde_json::{Value, json};
use union_runtime::Settings;

use super::stories::count;
use super::world::{World, same};
use crate::apply::{Expected, Step, Story, Things, apply, force, stories, things};
use crate::cluster::{CONFLICT, Fallible, text};
use crate::tally::Tally;

pub(crate) async fn tell(w: &World<'_>, tally: &mut Tally) {
    let things = things(&w.cluster.client(), &w.things.crd);
    for (number, story) in stories().iter().enumerate() {
        let told = as_normalize_apply(story, &things, &format!("applied-{number}")).await;
        count(tally, story.name, told);
        tally.count("conflicts", story.ours.is_none());
    }
    let told = [
        ("the first manager goes on", first_goes_on(&things).await),
        ("2019-apply", not_as_normalize_apply(w, &things).await),
    ];
    for (name, told) in told {
        count(tally, name, told);
    }
}

/// Sends a sequence of requests with the webhook, on the server without rules, and checks that the
/// stored object is the result of `normalize_apply`.
async fn as_normalize_apply(story: &Story, things: &Things, object: &str) -> Fallible {
    for step in &story.before {
        things.apply(object, step).await?;
    }
    let answer = things.apply(object, &story.last).await;
    match (&story.ours, answer) {
        (Some((spec, _)), Ok(made)) => same("spec", &made, spec),
        (None, Err(Error::Api(status))) => {
            let is_conflict = matches!(story.server, Expected::Conflict(_));
            same("conflict", &(status.code == CONFLICT), &is_conflict)
        }
        (_, answer) => Err(format!("the server answered {answer:?}").into()),
    }
}

/// Checks that a manager can go on applying after the webhook cleared its member. The member stays
/// in the managed fields of that manager.
async fn first_goes_on(things: &Things) -> Fallible {
    const OBJECT: &str = "goes-on";
    let alpha = || json!({"optional": {"type": "Alpha", "alpha": 1}});
    let beta = json!({"optional": {"type": "Beta", "beta": {"exec": 1}}});
    let step = |step: Step| async move { things.apply(OBJECT, &step).await };
    step(apply("one", alpha())).await?;
    same("switched", &step(force("two", beta.clone())).await?, &beta)?;
    match step(apply("one", alpha())).await {
        Err(Error::Api(status)) => same("code", &status.code, &CONFLICT)?,
        other => return Err(format!("the server answered {other:?}").into()),
    }
    same("let go", &step(apply("one", json!({}))).await?, &beta)?;
    // A forced apply switches back to the first member.
    same("back", &step(force("one", alpha())).await?, &alpha())
}

/// Checks a named difference: an object is stored with two members of a union without
/// discriminator, and one of the members is applied. As an update, that does not set another
/// member, so the webhook cannot determine the intended member, but `normalize_apply` can.
async fn not_as_normalize_apply(w: &World<'_>, things: &Things) -> Fallible {
    const OBJECT: &str = "legacy-applied";
    let live = w.get(&w.things, OBJECT).await?;
    let step = force("two", json!({"atMostOne": {"http": 3}}));
    let made = things.apply(OBJECT, &step).await?;
    same("spec", &made, &json!({"atMostOne": {"exec": 1, "http": 3}}))?;

    let mut merged = w.get(&w.things, OBJECT).await?;
    let applied = json!({"spec": step.spec});
    let settings = Settings::default();
    let unions = &w.things.unions;
    let report = unions
        .normalize_apply(&mut merged, &applied, Some(&live), &settings)
        .into_result()?;
    let cleared = "spec.atMostOne.exec: cleared".to_owned();
    same("changes", &report.changes().to_string(), &cleared)?;
    let spec: Value = json!({"atMostOne": {"http": 3}});
    same("spec of normalize_apply", &merged["spec"], &spec)?;
    same("name", &text(&merged["metadata"]["name"]), &OBJECT.into())
}
