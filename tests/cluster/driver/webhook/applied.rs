//! Tests of server-side apply: the webhook gets it as an update, and normalizes the merged object.

use kube::Error;
use serde_json::{Value, json};
use union_runtime::Settings;

use super::stories::count_story;
use super::world::{World, expect_equal};
use crate::apply::{ApplyScenario, Expected, Step, Things, apply, force, scenarios, things};
use crate::cluster::{CONFLICT, Fallible, text};
use crate::tally::Tally;

pub(crate) async fn run(world: &World<'_>, tally: &mut Tally) {
    let things = things(&world.cluster.client(), &world.things.crd);
    for (index, scenario) in scenarios().iter().enumerate() {
        let result = check_stored_object(scenario, &things, &format!("applied-{index}")).await;
        count_story(tally, scenario.name, result);
        tally.count_event("conflicts", scenario.normalized.is_none());
    }
    let results = [
        (
            "the first manager goes on",
            first_manager_applies_again(&things).await,
        ),
        (
            "2019-apply",
            legacy_object_is_not_normalized(world, &things).await,
        ),
    ];
    for (name, result) in results {
        count_story(tally, name, result);
    }
}

/// Sends a sequence of requests with the webhook, on the server without rules, and checks that the
/// stored object is the result of `normalize_apply`.
async fn check_stored_object(scenario: &ApplyScenario, things: &Things, object: &str) -> Fallible {
    for step in &scenario.first_steps {
        things.apply(object, step).await?;
    }
    let response = things.apply(object, &scenario.last_step).await;
    match (&scenario.normalized, response) {
        (Some((spec, _)), Ok(applied_spec)) => expect_equal("spec", &applied_spec, spec),
        (None, Err(Error::Api(status))) => {
            let is_conflict = matches!(scenario.expected_response, Expected::Conflict(_));
            expect_equal("conflict", &(status.code == CONFLICT), &is_conflict)
        }
        (_, response) => Err(format!("the server answered {response:?}").into()),
    }
}

/// Checks that a manager can go on applying after the webhook cleared its member. The member stays
/// in the managed fields of that manager.
async fn first_manager_applies_again(things: &Things) -> Fallible {
    const OBJECT: &str = "goes-on";
    let alpha = || json!({"optional": {"type": "Alpha", "alpha": 1}});
    let beta = json!({"optional": {"type": "Beta", "beta": {"exec": 1}}});
    let send_step = |step: Step| async move { things.apply(OBJECT, &step).await };
    send_step(apply("one", alpha())).await?;
    expect_equal(
        "switched",
        &send_step(force("two", beta.clone())).await?,
        &beta,
    )?;
    match send_step(apply("one", alpha())).await {
        Err(Error::Api(status)) => expect_equal("code", &status.code, &CONFLICT)?,
        unexpected => return Err(format!("the server answered {unexpected:?}").into()),
    }
    expect_equal("let go", &send_step(apply("one", json!({}))).await?, &beta)?;
    // A forced apply switches back to the first member.
    expect_equal("back", &send_step(force("one", alpha())).await?, &alpha())
}

/// Checks a named difference: an object is stored with two members of a union without
/// discriminator, and one of the members is applied. As an update, that does not set another
/// member, so the webhook cannot determine the intended member, but `normalize_apply` can.
async fn legacy_object_is_not_normalized(world: &World<'_>, things: &Things) -> Fallible {
    const OBJECT: &str = "legacy-applied";
    let live = world.get(&world.things, OBJECT).await?;
    let step = force("two", json!({"atMostOne": {"http": 3}}));
    let applied_spec = things.apply(OBJECT, &step).await?;
    expect_equal(
        "spec",
        &applied_spec,
        &json!({"atMostOne": {"exec": 1, "http": 3}}),
    )?;

    let mut merged = world.get(&world.things, OBJECT).await?;
    let applied = json!({"spec": step.spec});
    let settings = Settings::default();
    let unions = &world.things.unions;
    let report = unions
        .normalize_apply(&mut merged, &applied, Some(&live), &settings)
        .into_result()?;
    let expected_changes = "spec.atMostOne.exec: cleared".to_owned();
    expect_equal("changes", &report.changes().to_string(), &expected_changes)?;
    let spec: Value = json!({"atMostOne": {"http": 3}});
    expect_equal("spec of normalize_apply", &merged["spec"], &spec)?;
    expect_equal("name", &text(&merged["metadata"]["name"]), &OBJECT.into())
}
