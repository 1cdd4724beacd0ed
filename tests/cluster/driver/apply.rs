//! (d) Server-side apply of member switches: what the server makes of them, and what normalization would.
//!
//! Each story is told twice: to the CRD with CEL rules, and to one that enforces nothing, which shows the merged object that
//! `normalize_apply` gets.

use kube::api::{Api, DynamicObject, GroupVersionKind, Patch, PatchParams};
use kube::core::ApiResource;
use kube::{Client, Error};
use serde_json::{Value, json};
use union_json::{Source, Unions};
use union_runtime::{Settings, schema_for};

use crate::cluster::{CONFLICT, Cluster, Fallible, text};
use crate::tally::Tally;
use crate::types::{cel, none};

/// The code for an object that validation refuses.
const INVALID: u16 = 422;

/// Somebody applies a `spec`.
pub(crate) struct Step {
    manager: &'static str,
    force: bool,
    pub(crate) spec: Value,
}

pub(crate) struct Story {
    pub(crate) name: &'static str,
    /// What went before; the server takes all of it.
    pub(crate) before: Vec<Step>,
    pub(crate) last: Step,
    pub(crate) server: Expected,
    /// The `spec` as `normalize_apply` makes it, and what it clears and sets; none where the server refuses before that.
    pub(crate) ours: Option<(Value, Vec<&'static str>)>,
}

/// What the server answers to the last step.
pub(crate) enum Expected {
    /// This `spec`.
    Accepted(Value),
    /// Other managers own these fields.
    Conflict(Vec<&'static str>),
    /// The rules at these fields refuse what is merged.
    Invalid(Vec<&'static str>),
}

pub(crate) fn apply(manager: &'static str, spec: Value) -> Step {
    Step {
        manager,
        force: false,
        spec,
    }
}

pub(crate) fn force(manager: &'static str, spec: Value) -> Step {
    Step {
        force: true,
        ..apply(manager, spec)
    }
}

pub(crate) fn stories() -> Vec<Story> {
    let alpha = || json!({"optional": {"type": "Alpha", "alpha": 1}});
    let beta = || json!({"optional": {"type": "Beta", "beta": {"exec": 1}}});
    vec![
        Story {
            name: "one manager switches",
            before: vec![apply("one", alpha())],
            last: apply("one", beta()),
            server: Expected::Accepted(beta()),
            ours: Some((beta(), vec![])),
        },
        Story {
            name: "one manager forgets to drop the old member",
            before: vec![apply("one", alpha())],
            last: apply(
                "one",
                json!({"optional": {"type": "Beta", "alpha": 1, "beta": {"exec": 1}}}),
            ),
            server: Expected::Invalid(vec!["spec.optional.alpha"]),
            ours: Some((beta(), vec!["optional.alpha: cleared"])),
        },
        Story {
            name: "two managers pick different members",
            before: vec![apply("one", alpha())],
            last: apply("two", beta()),
            server: Expected::Conflict(vec![".spec.optional.type"]),
            ours: None,
        },
        Story {
            name: "two managers pick different members, the second by force",
            before: vec![apply("one", alpha())],
            last: force("two", beta()),
            server: Expected::Invalid(vec!["spec.optional.alpha"]),
            ours: Some((beta(), vec!["optional.alpha: cleared"])),
        },
        Story {
            name: "two managers pick the same member, then one leaves it",
            before: vec![apply("one", alpha()), apply("two", alpha())],
            last: apply("one", beta()),
            server: Expected::Conflict(vec![".spec.optional.type"]),
            ours: None,
        },
        Story {
            name: "two managers pick the same member and agree on its value",
            before: vec![apply("one", alpha())],
            last: apply("two", alpha()),
            server: Expected::Accepted(alpha()),
            ours: Some((alpha(), vec![])),
        },
        Story {
            name: "two managers set different members, and nothing names one",
            before: vec![apply("one", json!({"atMostOne": {"exec": 1}}))],
            last: apply("two", json!({"atMostOne": {"http": 2}})),
            server: Expected::Invalid(vec!["spec.atMostOne"]),
            ours: Some((
                json!({"atMostOne": {"http": 2}}),
                vec!["atMostOne.exec: cleared"],
            )),
        },
        Story {
            name: "two managers set different members, and the discriminator follows",
            before: vec![apply(
                "one",
                json!({"deduced": {"type": "Alpha", "alpha": 1}}),
            )],
            last: apply("two", json!({"deduced": {"beta": 2}})),
            server: Expected::Invalid(vec!["spec.deduced.beta"]),
            ours: Some((
                json!({"deduced": {"type": "Beta", "beta": 2}}),
                vec!["deduced.alpha: cleared", "deduced.type: set"],
            )),
        },
    ]
}

pub(crate) async fn run(cluster: &Cluster) -> Fallible<bool> {
    let (strict, lax) = (cel::crd()?, none::crd()?);
    // Others have served the strict one already.
    cluster.serve(&lax).await?;
    let unions = Unions::compile(Source::Schema(&schema_for::<none::ThingSpec>().to_value()))?;
    let client = cluster.client();
    let mut tally = Tally::default();
    for (number, story) in stories().iter().enumerate() {
        let object = format!("story-{number}");
        let strict = things(&client, &strict);
        let lax = things(&client, &lax);
        let told = async {
            story.tell(&strict, &object).await?;
            story.compare(&lax, &object, &unions).await
        };
        match told.await {
            Ok(()) => tally.agrees(),
            Err(error) => tally.differs(format!("{}: {error}", story.name)),
        }
        tally.count("conflicts", matches!(story.server, Expected::Conflict(_)));
        tally.count("refused", matches!(story.server, Expected::Invalid(_)));
    }
    Ok(tally.finish("server-side apply, stories as foretold", stories().len()))
}

/// A kind of object, with kube's own functions.
pub(crate) struct Things {
    api: Api<DynamicObject>,
    resource: ApiResource,
}

pub(crate) fn things(client: &Client, crd: &Value) -> Things {
    let kind = GroupVersionKind::gvk(&text(&crd["spec"]["group"]), "v1", "Thing");
    let resource = ApiResource::from_gvk_with_plural(&kind, "things");
    Things {
        api: Api::namespaced_with(client.clone(), "default", &resource),
        resource,
    }
}

impl Things {
    pub(crate) async fn apply(&self, name: &str, step: &Step) -> Result<Value, Error> {
        let mut object = DynamicObject::new(name, &self.resource);
        object.data = json!({"spec": step.spec});
        let mut params = PatchParams::apply(step.manager);
        params.force = step.force;
        let made = self
            .api
            .patch(name, &params, &Patch::Apply(&object))
            .await?;
        Ok(made.data["spec"].clone())
    }
}

impl Story {
    /// The server with rules answers as expected.
    async fn tell(&self, things: &Things, object: &str) -> Fallible {
        for step in &self.before {
            things.apply(object, step).await?;
        }
        let answer = things.apply(object, &self.last).await;
        let (code, fields) = match &self.server {
            Expected::Accepted(spec) => {
                let made = answer?;
                return if made == *spec {
                    Ok(())
                } else {
                    Err(format!("the server made {made}").into())
                };
            }
            Expected::Conflict(fields) => (CONFLICT, fields),
            Expected::Invalid(fields) => (INVALID, fields),
        };
        let status = match answer {
            Err(Error::Api(status)) => status,
            other => return Err(format!("the server answered {other:?}").into()),
        };
        let causes = status.details.iter().flat_map(|details| &details.causes);
        let mut found: Vec<&str> = causes.map(|cause| cause.field.as_str()).collect();
        found.sort_unstable();
        if status.code != code || found != *fields {
            return Err(format!("the server answered {status:?}").into());
        }
        Ok(())
    }

    /// What the server merges becomes what is expected of us, and is valid then.
    async fn compare(&self, things: &Things, object: &str, unions: &Unions) -> Fallible {
        let mut live = Value::Null;
        for step in &self.before {
            live = things.apply(object, step).await?;
        }
        let Some((spec, expected)) = &self.ours else {
            return Ok(());
        };
        let mut merged = things.apply(object, &self.last).await?;
        let settings = Settings::default();
        let mut report =
            unions.normalize_apply(&mut merged, &self.last.spec, Some(&live), &settings);
        report.extend(unions.validate_update(&merged, &live, &settings));
        let changes = report.into_result()?.changes().to_string();
        let changes: Vec<String> = changes.lines().map(str::to_owned).collect();
        if merged != *spec || changes != *expected {
            return Err(format!("we made {merged} by {changes:?}").into());
        }
        Ok(())
    }
}
