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

/// A sequence of apply requests to one object, with the expected results of the last request.
pub(crate) struct ApplyScenario {
    pub(crate) name: &'static str,
    /// The requests before the last request. The server accepts all of them.
    pub(crate) first_steps: Vec<Step>,
    pub(crate) last_step: Step,
    pub(crate) expected_response: Expected,
    /// The `spec` that `normalize_apply` returns, and the changes that it reports; `None` if the
    /// server rejects the request before normalization.
    pub(crate) normalized: Option<(Value, Vec<&'static str>)>,
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

/// Returns an apply request that does not force conflicts.
pub(crate) fn apply(manager: &'static str, spec: Value) -> Step {
    Step {
        manager,
        force: false,
        spec,
    }
}

/// Returns an apply request that takes over the fields of other managers.
pub(crate) fn force(manager: &'static str, spec: Value) -> Step {
    Step {
        force: true,
        ..apply(manager, spec)
    }
}

pub(crate) fn scenarios() -> Vec<ApplyScenario> {
    let alpha = || json!({"optional": {"type": "Alpha", "alpha": 1}});
    let beta = || json!({"optional": {"type": "Beta", "beta": {"exec": 1}}});
    vec![
        ApplyScenario {
            name: "one manager switches",
            first_steps: vec![apply("one", alpha())],
            last_step: apply("one", beta()),
            expected_response: Expected::Accepted(beta()),
            normalized: Some((beta(), vec![])),
        },
        ApplyScenario {
            name: "one manager forgets to drop the old member",
            first_steps: vec![apply("one", alpha())],
            last_step: apply(
                "one",
                json!({"optional": {"type": "Beta", "alpha": 1, "beta": {"exec": 1}}}),
            ),
            expected_response: Expected::Invalid(vec!["spec.optional.alpha"]),
            normalized: Some((beta(), vec!["optional.alpha: cleared"])),
        },
        ApplyScenario {
            name: "two managers pick different members",
            first_steps: vec![apply("one", alpha())],
            last_step: apply("two", beta()),
            expected_response: Expected::Conflict(vec![".spec.optional.type"]),
            normalized: None,
        },
        ApplyScenario {
            name: "two managers pick different members, the second by force",
            first_steps: vec![apply("one", alpha())],
            last_step: force("two", beta()),
            expected_response: Expected::Invalid(vec!["spec.optional.alpha"]),
            normalized: Some((beta(), vec!["optional.alpha: cleared"])),
        },
        ApplyScenario {
            name: "two managers pick the same member, then one leaves it",
            first_steps: vec![apply("one", alpha()), apply("two", alpha())],
            last_step: apply("one", beta()),
            expected_response: Expected::Conflict(vec![".spec.optional.type"]),
            normalized: None,
        },
        ApplyScenario {
            name: "two managers pick the same member and agree on its value",
            first_steps: vec![apply("one", alpha())],
            last_step: apply("two", alpha()),
            expected_response: Expected::Accepted(alpha()),
            normalized: Some((alpha(), vec![])),
        },
        ApplyScenario {
            name: "two managers set different members, and nothing names one",
            first_steps: vec![apply("one", json!({"atMostOne": {"exec": 1}}))],
            last_step: apply("two", json!({"atMostOne": {"http": 2}})),
            expected_response: Expected::Invalid(vec!["spec.atMostOne"]),
            normalized: Some((
                json!({"atMostOne": {"http": 2}}),
                vec!["atMostOne.exec: cleared"],
            )),
        },
        ApplyScenario {
            name: "two managers set different members, and the discriminator follows",
            first_steps: vec![apply(
                "one",
                json!({"deduced": {"type": "Alpha", "alpha": 1}}),
            )],
            last_step: apply("two", json!({"deduced": {"beta": 2}})),
            expected_response: Expected::Invalid(vec!["spec.deduced.beta"]),
            normalized: Some((
                json!({"deduced": {"type": "Beta", "beta": 2}}),
                vec!["deduced.alpha: cleared", "deduced.type: set"],
            )),
        },
    ]
}

pub(crate) async fn run(cluster: &Cluster) -> Fallible<bool> {
    let (crd_with_rules, crd_without_rules) = (cel::crd()?, none::crd()?);
    // The CRD with rules is served already: the tests of unions created it.
    cluster.serve(&crd_without_rules).await?;
    let unions = Unions::compile(SchemaSource::Schema(
        &schema_for::<none::ThingSpec>().to_value(),
    ))?;
    let client = cluster.client();
    let mut tally = Tally::default();
    for (index, scenario) in scenarios().iter().enumerate() {
        let object = format!("story-{index}");
        let things_with_rules = things(&client, &crd_with_rules);
        let things_without_rules = things(&client, &crd_without_rules);
        let checks = async {
            scenario.check_server(&things_with_rules, &object).await?;
            scenario
                .check_normalize_apply(&things_without_rules, &object, &unions)
                .await
        };
        match checks.await {
            Ok(()) => tally.count_agreement(),
            Err(error) => tally.add_difference(format!("{}: {error}", scenario.name)),
        }
        tally.count_event(
            "conflicts",
            matches!(scenario.expected_response, Expected::Conflict(_)),
        );
        tally.count_event(
            "rejected",
            matches!(scenario.expected_response, Expected::Invalid(_)),
        );
    }
    Ok(tally.finish("server-side apply, scenarios", scenarios().len()))
}

/// A client for objects of the kind `Thing`, by kube's own `Api`.
pub(crate) struct Things {
    api: Api<DynamicObject>,
    resource: ApiResource,
}

/// Returns a client for the objects of a CRD.
pub(crate) fn things(client: &Client, crd: &Value) -> Things {
    let kind = GroupVersionKind::gvk(&text(&crd["spec"]["group"]), "v1", "Thing");
    let resource = ApiResource::from_gvk_with_plural(&kind, "things");
    Things {
        api: Api::namespaced_with(client.clone(), "default", &resource),
        resource,
    }
}

impl Things {
    /// Sends an apply request, and returns the `spec` of the merged object.
    pub(crate) async fn apply(&self, name: &str, step: &Step) -> Result<Value, Error> {
        let mut object = DynamicObject::new(name, &self.resource);
        object.data = json!({"spec": step.spec});
        let mut params = PatchParams::apply(step.manager);
        params.force = step.force;
        let merged = self
            .api
            .patch(name, &params, &Patch::Apply(&object))
            .await?;
        Ok(merged.data["spec"].clone())
    }
}

impl ApplyScenario {
    /// Sends the requests to the server with rules, and returns an error unless the last response
    /// is the expected one.
    async fn check_server(&self, things: &Things, object: &str) -> Fallible {
        for step in &self.first_steps {
            things.apply(object, step).await?;
        }
        let response = things.apply(object, &self.last_step).await;
        let (code, fields) = match &self.expected_response {
            Expected::Accepted(spec) => {
                let applied_spec = response?;
                return if applied_spec == *spec {
                    Ok(())
                } else {
                    Err(format!("the server stored {applied_spec}").into())
                };
            }
            Expected::Conflict(fields) => (CONFLICT, fields),
            Expected::Invalid(fields) => (INVALID, fields),
        };
        let status = match response {
            Err(Error::Api(status)) => status,
            unexpected => return Err(format!("the server answered {unexpected:?}").into()),
        };
        let causes = status.details.iter().flat_map(|details| &details.causes);
        let mut conflict_fields: Vec<&str> = causes.map(|cause| cause.field.as_str()).collect();
        conflict_fields.sort_unstable();
        if status.code != code || conflict_fields != *fields {
            return Err(format!("the server answered {status:?}").into());
        }
        Ok(())
    }

    /// Normalizes the object that a server without CEL rules has merged. Returns an error unless
    /// the result is valid and as expected.
    async fn check_normalize_apply(
        &self,
        things: &Things,
        object: &str,
        unions: &Unions,
    ) -> Fallible {
        let mut live = Value::Null;
        for step in &self.first_steps {
            live = things.apply(object, step).await?;
        }
        let Some((spec, expected)) = &self.normalized else {
            return Ok(());
        };
        let mut merged = things.apply(object, &self.last_step).await?;
        let settings = Settings::default();
        let mut report =
            unions.normalize_apply(&mut merged, &self.last_step.spec, Some(&live), &settings);
        report.extend(unions.validate_update(&merged, &live, &settings));
        let changes = report.into_result()?.changes().to_string();
        let changes: Vec<String> = changes.lines().map(str::to_owned).collect();
        if merged != *spec || changes != *expected {
            return Err(format!("we normalized to {merged} by {changes:?}").into());
        }
        Ok(())
    }
}
