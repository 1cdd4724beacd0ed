//! (d) Tests of server-side apply where the applied object switches the selected member of a union.
//!
//! Each sequence of requests runs twice: for a CRD with CEL rules, to test the response of the
//! server; and for a CRD without rules, to get the merged object that `normalize_apply` is called
//! with.

use kube::api::{Api, DynamicObject, GroupVersionKind, Patch, PatchParams};
use kube::core::ApiResource;
use kube::{Client, Error};
use serde_json::{Value, json};
use union_json::{SchemaSource, Unions};
use union_runtime::{Settings, schema_for};

use crate::cluster::{CONFLICT, Cluster, Fallible, text};
use crate::tally::Tally;
use crate::types::{cel, none};

/// The HTTP status code of a response to an invalid object.
const INVALID: u16 = 422;

/// A server-side apply request of a field manager.
pub(crate) struct Step {
    manager: &'static str,
    force: bool,
    pub(crate) spec: Value,
}

pub(crate) struct Story {
    pub(crate) name: &'static str,
    /// The requests before the last one. The server accepts all of them.
    pub(crate) before: Vec<Step>,
    pub(crate) last: Step,
    pub(crate) server: Expected,
    /// The `spec` that `normalize_apply` returns, and the changes that it reports; `None` if the
    /// server rejects the request before normalization.
    pub(crate) ours: Option<(Value, Vec<&'static str>)>,
}

/// The expected response of the server to the last request.
pub(crate) enum Expected {
    /// The request is accepted, and the merged object has this `spec`.
    Accepted(Value),
    /// The request conflicts with other managers, which own these fields.
    Conflict(Vec<&'static str>),
    /// The rules reject the merged object, with errors at these field paths.
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
    // The strict CRD is served already: the earlier tests created it.
    cluster.serve(&lax).await?;
    let unions = Unions::compile(SchemaSource::Schema(
        &schema_for::<none::ThingSpec>().to_value(),
    ))?;
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

/// A client for objects of the kind `Thing`, by kube's own `Api`.
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
    /// Sends the requests to the server with rules, and returns an error unless the last response
    /// is the expected one.
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

    /// Normalizes the merged object of the server without rules, and returns an error unless the
    /// result is the expected one and is valid.
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
