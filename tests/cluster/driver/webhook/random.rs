//! Tests with random creates and updates: verdict, causes, warnings and the stored object are those
//! of native `admit_unions`.

use serde::Deserialize as _;
use serde_json::{Value, json};
use union_random::Random;
use union_runtime::{Settings, Union as _, Violation};

use super::world::{Kind, World, admit_natively, warning};
use crate::cluster::{Fallible, ServerResponse, text};
use crate::tally::Tally;
use crate::types::none;
use crate::unions::{mutate_spec, random_spec, remove_untested_values};

/// The number of updates of each stored object. Every third request is a create.
pub(crate) const UPDATES: usize = 8;
pub(crate) const QUERY: &str = "?fieldValidation=Ignore";

/// The maximum number of warnings in a response of the webhook.
const MAX_WARNINGS: usize = 10;

/// The field paths of unions without a discriminator that require exactly one member. The extension
/// in a CRD cannot express that, so the webhook checks only "at most one".
const EXACTLY_ONE: [&str; 2] = ["spec.exactlyOne", "spec.asExactlyOne"];
const EXACTLY: &str = "exactly one of: `literal`";
const AT_MOST: &str = "at most one of: `literal`";

/// Returns objects to store before the webhooks are registered, for this number of requests.
pub(crate) fn old_objects(things: &Kind, random: &mut Random, requests: usize) -> Vec<Value> {
    let indexes = 0..requests.div_ceil(UPDATES * 3 / 2);
    indexes
        .map(|index| {
            let mut spec = valid_spec(things, random);
            remove_untested_values(&mut spec, true);
            things.object(&format!("old-{index}"), spec)
        })
        .collect()
}

pub(crate) fn valid_spec(things: &Kind, random: &mut Random) -> Value {
    random_spec(random, things.spec_schema(), |object| {
        none::Thing::deserialize(object).is_ok_and(|thing| thing.validate_unions().is_accepted())
    })
}

pub(crate) async fn run(
    world: &World<'_>,
    random: &mut Random,
    old_objects: &[Value],
) -> Fallible<Tally> {
    let mut tally = Tally::default();
    let things = &world.things;
    let path = things.path("v1");
    for stored_object in old_objects {
        let name = text(&stored_object["metadata"]["name"]);
        let mut stored_object = world.get(things, &name).await?;
        for update_index in 0..UPDATES {
            let mut new = stored_object.clone();
            mutate_spec(random, things.spec_schema(), &mut new["spec"]);
            remove_untested_values(&mut new["spec"], true);
            let response = world
                .cluster
                .put(&format!("{path}/{name}{QUERY}"), &new)
                .await?;
            compare(world, &new, Some(&stored_object), &response, &mut tally)?;
            let stored_afterwards = world.get(things, &name).await?;
            let expected = if response.is_accepted() {
                &response.body
            } else {
                &stored_object
            };
            if stored_afterwards != *expected {
                tally.add_difference(format!(
                    "stored is {stored_afterwards}\nexpected {expected}"
                ));
            }
            stored_object = stored_afterwards;
            if update_index % 2 == 1 {
                let mut spec = valid_spec(things, random);
                remove_untested_values(&mut spec, false);
                let new = things.object(&format!("new-{name}-{update_index}"), spec);
                let response = world.cluster.post(&format!("{path}{QUERY}"), &new).await?;
                compare(world, &new, None, &response, &mut tally)?;
            }
        }
    }
    Ok(tally)
}

fn compare(
    world: &World<'_>,
    new: &Value,
    old: Option<&Value>,
    response: &ServerResponse,
    tally: &mut Tally,
) -> Fallible {
    tally.count_event("creates", old.is_none());
    tally.count_event("updates", old.is_some());
    if old.is_some_and(|old| none::Thing::deserialize(old).is_err()) {
        tally.count_event("with an old one that its type cannot read", true);
        return Ok(());
    }
    let expected = ExpectedResult::compute(&world.things, new, old)?;
    tally.count_event("normalized", expected.is_normalized);
    tally.count_event("tolerated", !expected.tolerated.is_empty());
    tally.count_event("without `exactly_one`", expected.violates_exactly_one);
    if expected.clears_unreadable_member {
        tally.count_event("cleared that its type cannot read", true);
    }
    tally.count_event(
        "rejected by the webhook",
        matches!(expected.verdict, Verdict::Webhook(_)),
    );
    tally.count_event(
        "rejected by the server",
        matches!(expected.verdict, Verdict::Server(_)),
    );
    let name = text(&new["metadata"]["name"]);
    match expected.difference(&world.things, &name, response)? {
        None => tally.count_agreement(),
        Some(difference) => {
            let old = old.map_or(&Value::Null, |old| &old["spec"]);
            tally.add_difference(format!("{difference}\nold {old}\nnew {}", new["spec"]));
        }
    }
    Ok(())
}

/// The result that a request should have.
struct ExpectedResult {
    verdict: Verdict,
    /// The tolerated violations, which the webhook warns about.
    tolerated: Vec<Violation>,
    is_normalized: bool,
    violates_exactly_one: bool,
    clears_unreadable_member: bool,
}

/// The side that decides about a request, and its decision.
enum Verdict {
    /// The request is accepted. `spec` is the stored spec, and `typed` is the spec after a round
    /// trip through the type.
    Accepted { spec: Value, typed: Value },
    /// The schema rejects the object, so the server does not call the validating webhook.
    Server(Value),
    /// The webhook rejects the object with these errors, in the order of the fields in the schema,
    /// which differs from the order in the type.
    Webhook(Vec<Violation>),
}

impl ExpectedResult {
    /// Computes the result in the order of the server: the object is pruned and defaulted,
    /// normalized, validated by the schema, and then by the webhook.
    fn compute(things: &Kind, new: &Value, old: Option<&Value>) -> Fallible<Self> {
        let validate_by_schema = |object: &mut Value| {
            let settings = k8s_crd_validation::ServerSettings::default();
            match old {
                Some(old) => things.schema.update(object, old, &settings),
                None => things.schema.create(object, &settings),
            }
        };
        let mut object = new.clone();
        // Errors do not matter yet, because normalization may fix them.
        drop(validate_by_schema(&mut object));
        let sent_object = object.clone();
        let changes = things
            .unions
            .normalize(&mut object, old, &Settings::default());
        let schema_report = validate_by_schema(&mut object.clone());
        let name = text(&new["metadata"]["name"]);
        let mut expected = Self {
            verdict: Verdict::Server(Value::Null),
            tolerated: Vec::new(),
            is_normalized: !changes.is_empty(),
            violates_exactly_one: false,
            clears_unreadable_member: false,
        };
        if let Some(status) = things.status(&name, &schema_report) {
            expected.verdict = Verdict::Server(status);
            return Ok(expected);
        }
        // The type cannot read a member of a wrong type, and the webhook clears it nevertheless.
        expected.clears_unreadable_member = none::Thing::deserialize(&sent_object).is_err();
        let readable_object = if expected.clears_unreadable_member {
            &object
        } else {
            &sent_object
        };
        let (typed, report) = admit_natively(readable_object, old)?;
        let (mut errors, mut tolerated) = (report.errors().to_vec(), report.tolerated().to_vec());
        let total_count = errors.len() + tolerated.len();
        let is_enforced = |violation: &Violation| {
            !EXACTLY_ONE.contains(&violation.path().as_str()) || violation.value() != Some("")
        };
        errors.retain(is_enforced);
        tolerated.retain(is_enforced);
        expected.violates_exactly_one = errors.len() + tolerated.len() < total_count;
        expected.tolerated = tolerated;
        expected.verdict = if errors.is_empty() {
            Verdict::Accepted {
                spec: object["spec"].take(),
                typed: typed["spec"].clone(),
            }
        } else {
            Verdict::Webhook(errors)
        };
        Ok(expected)
    }

    /// Describes the difference between the response and the expected result, if there is one.
    fn difference(
        &self,
        things: &Kind,
        name: &str,
        response: &ServerResponse,
    ) -> Fallible<Option<String>> {
        let tolerated = self.tolerated.iter().map(warning);
        let mut expected_warnings: Vec<String> = tolerated
            .map(|text| text.replace(EXACTLY, AT_MOST))
            .collect();
        expected_warnings.sort();
        expected_warnings.dedup();
        let mut actual_warnings = response.warnings.clone();
        actual_warnings.sort();
        // If there are more warnings, the webhook sends only some of them.
        if self.tolerated.len() <= MAX_WARNINGS && actual_warnings != expected_warnings {
            return Ok(Some(format!(
                "warnings {actual_warnings:#?}\nexpected {expected_warnings:#?}"
            )));
        }
        let (is_same, expected) = match &self.verdict {
            Verdict::Accepted { spec, typed } => {
                let thing = none::Thing::deserialize(&response.body);
                let is_typed_spec = thing.is_ok_and(|thing| json!(thing)["spec"] == *typed);
                let is_same =
                    response.is_accepted() && response.body["spec"] == *spec && is_typed_spec;
                (is_same, format!("{spec}, read by the type {typed}"))
            }
            Verdict::Server(status) => {
                // The server validates fields in any order.
                let expected = ServerResponse {
                    body: status.clone(),
                    ..response.clone()
                };
                let is_same = response.code == 422 && response.causes() == expected.causes();
                (is_same, status.to_string())
            }
            Verdict::Webhook(errors) => {
                let causes = response.body["details"]["causes"].as_array();
                let mut errors = errors.clone();
                errors.sort_by_key(|error| {
                    let message = error.message().replace(EXACTLY, AT_MOST);
                    let is_cause_of_error = |cause: &Value| {
                        cause["field"] == error.path().as_str() && cause["message"] == message
                    };
                    causes?.iter().position(is_cause_of_error)
                });
                let report = errors.into_iter().collect();
                let status = things.rejection_status(name, &report)?.to_string();
                let status = status.replace(EXACTLY, AT_MOST);
                (
                    response.body == serde_json::from_str::<Value>(&status)?,
                    status,
                )
            }
        };
        Ok((!is_same).then(|| format!("response {}\nexpected {expected}", response.body)))
    }
}
