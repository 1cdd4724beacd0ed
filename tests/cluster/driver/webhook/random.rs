//! Tests with random creates and updates: verdict, causes, warnings and the stored object are those
//! of native `admit_unions`.

use serde::Deserialize as _;
use serde_json::{Value, json};
use union_random::Random;
use union_runtime::{Settings, Union as _, Violation};

use super::world::{Kind, World, native, warning};
use crate::cluster::{Answer, Fallible, text};
use crate::tally::Tally;
use crate::types::none;
use crate::unions::{change, clean, spec};

/// The number of updates of each stored object. Every third request is a create.
pub(crate) const UPDATES: usize = 8;
pub(crate) const QUERY: &str = "?fieldValidation=Ignore";

/// The maximum number of warnings in a response of the webhook.
const MOST_WARNINGS: usize = 10;

/// The field paths of unions without a discriminator of which exactly one member must be set. A CRD
/// cannot say that (limits of the crate), so the webhook knows these unions as "at most one".
const EXACTLY_ONE: [&str; 2] = ["spec.exactlyOne", "spec.asExactlyOne"];
const EXACTLY: &str = "exactly one of: `literal`";
const AT_MOST: &str = "at most one of: `literal`";

/// Returns objects to store before the webhooks are registered, for this number of requests.
pub(crate) fn old(things: &Kind, random: &mut Random, requests: usize) -> Vec<Value> {
    let numbers = 0..requests.div_ceil(UPDATES * 3 / 2);
    numbers
        .map(|number| {
            let mut spec = made(things, random);
            clean(&mut spec, true);
            things.object(&format!("old-{number}"), spec)
        })
        .collect()
}

pub(crate) fn made(things: &Kind, random: &mut Random) -> Value {
    spec(random, things.spec_schema(), |object| {
        none::Thing::deserialize(object).is_ok_and(|thing| thing.validate_unions().is_accepted())
    })
}

pub(crate) async fn run(w: &World<'_>, random: &mut Random, old: &[Value]) -> Fallible<Tally> {
    let mut tally = Tally::default();
    let things = &w.things;
    let path = things.path("v1");
    for stored in old {
        let name = text(&stored["metadata"]["name"]);
        let mut stored = w.get(things, &name).await?;
        for turn in 0..UPDATES {
            let mut new = stored.clone();
            change(random, things.spec_schema(), &mut new["spec"]);
            clean(&mut new["spec"], true);
            let answer = w
                .cluster
                .put(&format!("{path}/{name}{QUERY}"), &new)
                .await?;
            judge(w, &new, Some(&stored), &answer, &mut tally)?;
            let now = w.get(things, &name).await?;
            let foretold = if answer.is_accepted() {
                &answer.body
            } else {
                &stored
            };
            if now != *foretold {
                tally.differs(format!("stored is {now}\nforetold {foretold}"));
            }
            stored = now;
            if turn % 2 == 1 {
                let mut spec = made(things, random);
                clean(&mut spec, false);
                let new = things.object(&format!("new-{name}-{turn}"), spec);
                let answer = w.cluster.post(&format!("{path}{QUERY}"), &new).await?;
                judge(w, &new, None, &answer, &mut tally)?;
            }
        }
    }
    Ok(tally)
}

fn judge(
    w: &World<'_>,
    new: &Value,
    old: Option<&Value>,
    answer: &Answer,
    tally: &mut Tally,
) -> Fallible {
    tally.count("creates", old.is_none());
    tally.count("updates", old.is_some());
    if old.is_some_and(|old| none::Thing::deserialize(old).is_err()) {
        tally.count("with an old one that its type cannot read", true);
        return Ok(());
    }
    let foretold = Foretold::of(&w.things, new, old)?;
    tally.count("normalized", foretold.is_normalized);
    tally.count("tolerated", !foretold.tolerated.is_empty());
    tally.count("without `exactly_one`", foretold.is_without_exactly_one);
    if foretold.is_cleared_unread {
        tally.count("cleared that its type cannot read", true);
    }
    tally.count(
        "refused by the webhook",
        matches!(foretold.says, Says::Webhook(_)),
    );
    tally.count(
        "refused by the server",
        matches!(foretold.says, Says::Server(_)),
    );
    let name = text(&new["metadata"]["name"]);
    match foretold.difference(&w.things, &name, answer)? {
        None => tally.agrees(),
        Some(how) => {
            let old = old.map_or(&Value::Null, |old| &old["spec"]);
            tally.differs(format!("{how}\nold {old}\nnew {}", new["spec"]));
        }
    }
    Ok(())
}

/// The expected result of a request.
struct Foretold {
    says: Says,
    /// The tolerated violations, which the webhook warns about.
    tolerated: Vec<Violation>,
    is_normalized: bool,
    is_without_exactly_one: bool,
    is_cleared_unread: bool,
}

enum Says {
    /// The request is accepted. `spec` is the stored spec, and `typed` is the spec after a round
    /// trip through the type.
    Accepted { spec: Value, typed: Value },
    /// The schema rejects the object, so the server does not call the validating webhook.
    Server(Value),
    /// The webhook rejects the object with these errors, in the order of the fields in the schema,
    /// which differs from the order in the type.
    Webhook(Vec<Violation>),
}

impl Foretold {
    /// Computes the result in the order of the server: the object is pruned and defaulted,
    /// normalized, validated by the schema, and then by the webhook.
    fn of(things: &Kind, new: &Value, old: Option<&Value>) -> Fallible<Self> {
        let by_schema = |object: &mut Value| {
            let settings = k8s_crd_validation::ServerSettings::default();
            match old {
                Some(old) => things.schema.update(object, old, &settings),
                None => things.schema.create(object, &settings),
            }
        };
        let mut object = new.clone();
        // Errors do not matter yet, because normalization may fix them.
        drop(by_schema(&mut object));
        let sent = object.clone();
        let changes = things
            .unions
            .normalize(&mut object, old, &Settings::default());
        let by_schema = by_schema(&mut object.clone());
        let name = text(&new["metadata"]["name"]);
        let mut foretold = Self {
            says: Says::Server(Value::Null),
            tolerated: Vec::new(),
            is_normalized: !changes.is_empty(),
            is_without_exactly_one: false,
            is_cleared_unread: false,
        };
        if let Some(status) = things.status(&name, &by_schema) {
            foretold.says = Says::Server(status);
            return Ok(foretold);
        }
        // The type cannot read a member of a wrong type, and the webhook clears it nevertheless.
        foretold.is_cleared_unread = none::Thing::deserialize(&sent).is_err();
        let read = if foretold.is_cleared_unread {
            &object
        } else {
            &sent
        };
        let (typed, report) = native(read, old)?;
        let (mut errors, mut tolerated) = (report.errors().to_vec(), report.tolerated().to_vec());
        let all = errors.len() + tolerated.len();
        let is_known = |each: &Violation| {
            !EXACTLY_ONE.contains(&each.path().as_str()) || each.value() != Some("")
        };
        errors.retain(is_known);
        tolerated.retain(is_known);
        foretold.is_without_exactly_one = errors.len() + tolerated.len() < all;
        foretold.tolerated = tolerated;
        foretold.says = if errors.is_empty() {
            Says::Accepted {
                spec: object["spec"].take(),
                typed: typed["spec"].clone(),
            }
        } else {
            Says::Webhook(errors)
        };
        Ok(foretold)
    }

    /// Describes the difference between the response and the expected result, if there is one.
    fn difference(&self, things: &Kind, name: &str, answer: &Answer) -> Fallible<Option<String>> {
        let tolerated = self.tolerated.iter().map(warning);
        let mut warnings: Vec<String> = tolerated
            .map(|text| text.replace(EXACTLY, AT_MOST))
            .collect();
        warnings.sort();
        warnings.dedup();
        let mut found = answer.warnings.clone();
        found.sort();
        // If there are more warnings, the webhook sends only some of them.
        if self.tolerated.len() <= MOST_WARNINGS && found != warnings {
            return Ok(Some(format!("warnings {found:#?}\nforetold {warnings:#?}")));
        }
        let (is_same, foretold) = match &self.says {
            Says::Accepted { spec, typed } => {
                let read = none::Thing::deserialize(&answer.body);
                let read = read.is_ok_and(|thing| json!(thing)["spec"] == *typed);
                let is_same = answer.is_accepted() && answer.body["spec"] == *spec && read;
                (is_same, format!("{spec}, read by the type {typed}"))
            }
            Says::Server(status) => {
                // The server validates fields in any order.
                let foretold = Answer {
                    body: status.clone(),
                    ..answer.clone()
                };
                let is_same = answer.code == 422 && answer.causes() == foretold.causes();
                (is_same, status.to_string())
            }
            Says::Webhook(errors) => {
                let causes = answer.body["details"]["causes"].as_array();
                let mut errors = errors.clone();
                errors.sort_by_key(|error| {
                    let message = error.message().replace(EXACTLY, AT_MOST);
                    let is_it = |cause: &Value| {
                        cause["field"] == error.path().as_str() && cause["message"] == message
                    };
                    causes?.iter().position(is_it)
                });
                let report = errors.into_iter().collect();
                let status = things.denied(name, &report)?.to_string();
                let status = status.replace(EXACTLY, AT_MOST);
                (
                    answer.body == serde_json::from_str::<Value>(&status)?,
                    status,
                )
            }
        };
        Ok((!is_same).then(|| format!("answer {}\nforetold {foretold}", answer.body)))
    }
}
