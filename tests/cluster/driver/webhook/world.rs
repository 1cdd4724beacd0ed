//! The kinds that the webhook is called for, and the expected responses.

use std::fmt::Debug;

use k8s_crd_validation::StructuralSchema;
use serde::Deserialize as _;
use serde_json::{Value, json};
use union_json::{ANNOTATION, SchemaSource, Unions};
use union_kube::Crd;
use union_runtime::{ObjectRef, Report, Settings, Union as _, Violation};

use crate::cluster::{Cluster, Fallible, ServerResponse, text};
use crate::types::none;

/// The server's prefix of a message of the webhook.
const DENIED: &str =
    r#"admission webhook "validate.union-webhook.example.com" denied the request: "#;

/// The maximal length of a warning of the webhook, in characters.
const MAX_WARNING_LENGTH: usize = 256;

/// The API group of the kind that only the webhook validates.
pub(crate) const GROUP: &str = "webhook.example.com";

/// The cluster and the kinds that all stories use.
pub(crate) struct World<'c> {
    pub(crate) cluster: &'c Cluster,
    /// The kind of the shipped manifests, whose union the server validates by CEL.
    pub(crate) backups: Kind,
    /// The kind of our types with `enforce = "none"`.
    pub(crate) things: Kind,
}

/// A kind, its unions and its schema.
pub(crate) struct Kind {
    pub(crate) crd: Value,
    pub(crate) unions: Unions,
    pub(crate) schema: StructuralSchema,
}

impl Kind {
    pub(crate) fn from_crd(crd: Value) -> Fallible<Self> {
        Ok(Self {
            unions: Unions::compile(SchemaSource::Crd(&crd, Some("v1")))?,
            schema: StructuralSchema::compiler().crd(&crd, Some("v1"))?,
            crd,
        })
    }

    pub(crate) fn group(&self) -> String {
        text(&self.crd["spec"]["group"])
    }

    pub(crate) fn kind(&self) -> String {
        text(&self.crd["spec"]["names"]["kind"])
    }

    /// Returns the schema of the spec.
    pub(crate) fn spec_schema(&self) -> &Value {
        &self.crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"]
    }

    /// Returns the URL path of the objects of a version.
    pub(crate) fn path(&self, version: &str) -> String {
        let (group, plural) = (self.group(), text(&self.crd["spec"]["names"]["plural"]));
        format!("/apis/{group}/{version}/namespaces/default/{plural}")
    }

    /// Returns an object of version `v1`.
    pub(crate) fn object(&self, name: &str, spec: Value) -> Value {
        self.object_of("v1", name, spec)
    }

    /// Returns an object of a version.
    pub(crate) fn object_of(&self, version: &str, name: &str, spec: Value) -> Value {
        let mut object = json!({
            "apiVersion": format!("{}/{version}", self.group()),
            "kind": self.kind(),
            "metadata": {"name": name, "namespace": "default"},
        });
        object["spec"] = spec;
        object
    }

    /// Returns the expected response to a request that the webhook rejects.
    pub(crate) fn rejection_status(&self, name: &str, report: &Report) -> Fallible<Value> {
        let mut status = self
            .status(name, report)
            .ok_or("the report has no errors")?;
        status["message"] = (DENIED.to_owned() + &text(&status["message"])).into();
        Ok(status)
    }

    /// Returns the status with which a server rejects an object of the kind, if the report has
    /// errors.
    pub(crate) fn status(&self, name: &str, report: &Report) -> Option<Value> {
        report.status(&ObjectRef {
            group: &self.group(),
            kind: &self.kind(),
            name,
        })
    }

    /// Stores objects under a schema that accepts any object, and then serves the real schema.
    ///
    /// A further version, without the rules and the unions, shows when the server uses the real
    /// schema.
    pub(crate) async fn serve_with_stored(
        &self,
        cluster: &Cluster,
        stored_objects: &[Value],
    ) -> Fallible {
        let mut crd_without_schema = self.crd.clone();
        crd_without_schema["spec"]["versions"][0]["schema"]["openAPIV3Schema"] =
            json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true});
        cluster.serve(&crd_without_schema).await?;
        for object in stored_objects {
            let response = cluster.post(&self.path("v1"), object).await?;
            if !response.is_accepted() {
                return Err(format!("cannot be stored: {:?}", response.causes()).into());
            }
        }
        let mut spec = self.crd["spec"].clone();
        let mut second_version = spec["versions"][0].clone();
        second_version["name"] = "v2".into();
        second_version["storage"] = false.into();
        remove_rules(&mut second_version);
        spec["versions"]
            .as_array_mut()
            .ok_or("no versions")?
            .push(second_version);
        let name = text(&self.crd["metadata"]["name"]);
        cluster.change(&name, &spec).await?;
        Ok(())
    }
}

/// Removes all CEL rules from a schema.
fn remove_rules(schema: &mut Value) {
    match schema {
        Value::Object(object) => {
            object.remove("x-kubernetes-validations");
            object.values_mut().for_each(remove_rules);
        }
        Value::Array(items) => items.iter_mut().for_each(remove_rules),
        _ => {}
    }
}

/// Returns the CRD of our types, with a status that has the same unions as the spec.
pub(crate) fn things_crd(group: &str) -> Fallible<Value> {
    const SPEC: &str = "/properties/spec/";
    let mut crd = Crd::from_type::<none::Thing>()?.for_cluster().clone();
    crd["metadata"]["name"] = format!("things.{group}").into();
    crd["spec"]["group"] = group.into();
    let version = &mut crd["spec"]["versions"][0];
    version["subresources"] = json!({"status": {}});
    let properties = &mut version["schema"]["openAPIV3Schema"]["properties"];
    properties["status"] = properties["spec"].clone();
    let annotation = &mut crd["metadata"]["annotations"][ANNOTATION];
    let mut unions: Value = serde_json::from_str(&text(annotation))?;
    let unions_by_pointer = unions["v1"].as_object_mut().ok_or("no unions")?;
    let unions_of_status: Vec<(String, Value)> = unions_by_pointer
        .iter()
        .filter_map(|(pointer, union)| {
            let pointer_in_spec = pointer.strip_prefix(SPEC)?;
            Some((
                format!("/properties/status/{pointer_in_spec}"),
                union.clone(),
            ))
        })
        .collect();
    unions_by_pointer.extend(unions_of_status);
    *annotation = unions.to_string().into();
    Ok(crd)
}

/// Returns the normalized object and the result of native `admit_unions`.
pub(crate) fn admit_natively(new: &Value, old: Option<&Value>) -> Fallible<(Value, Report)> {
    let mut new = none::Thing::deserialize(new)?;
    let old = old.map(none::Thing::deserialize).transpose()?;
    let report = new.admit_unions(old.as_ref(), &Settings::default());
    Ok((serde_json::to_value(new)?, report))
}

/// Returns the warning about a tolerated violation.
pub(crate) fn warning(tolerated: &Violation) -> String {
    let message = format!("tolerated, because the stored object has the same error: {tolerated}");
    if message.chars().count() <= MAX_WARNING_LENGTH {
        return message;
    }
    message
        .chars()
        .take(MAX_WARNING_LENGTH - 3)
        .collect::<String>()
        + "..."
}

/// Returns an error if a value is not the expected one.
pub(crate) fn expect_equal<T: PartialEq + Debug>(what: &str, actual: &T, expected: &T) -> Fallible {
    if actual == expected {
        return Ok(());
    }
    Err(format!("{what}: {actual:#?}\nexpected: {expected:#?}").into())
}

/// Checks that the response rejects the request with this status, these fields and these warnings.
pub(crate) fn expect_rejection(
    response: &ServerResponse,
    status: &Value,
    fields: &[&str],
    warnings: &[String],
) -> Fallible {
    expect_equal("code", &response.code, &422)?;
    expect_equal("status", &response.body, status)?;
    let causes = response.body["details"]["causes"].as_array();
    let cause_fields: Vec<String> = causes
        .into_iter()
        .flatten()
        .map(|cause| text(&cause["field"]))
        .collect();
    expect_equal(
        "fields",
        &cause_fields.iter().map(String::as_str).collect(),
        &fields.to_vec(),
    )?;
    expect_equal("warnings", &response.warnings, &warnings.to_vec())
}

impl World<'_> {
    /// Checks that the response accepts the request, and that the stored object has this spec.
    pub(crate) async fn expect_stored(
        &self,
        kind: &Kind,
        response: &ServerResponse,
        spec: &Value,
        warnings: &[String],
    ) -> Fallible {
        if !response.is_accepted() {
            return Err(format!("rejected: {}", response.body).into());
        }
        expect_equal("spec", &response.body["spec"], spec)?;
        expect_equal("warnings", &response.warnings, &warnings.to_vec())?;
        let name = text(&response.body["metadata"]["name"]);
        let stored = self.get(kind, &name).await?;
        expect_equal("stored spec", &stored["spec"], spec)
    }

    /// Returns a stored object.
    pub(crate) async fn get(&self, kind: &Kind, name: &str) -> Fallible<Value> {
        let response = self
            .cluster
            .get(&format!("{}/{name}", kind.path("v1")))
            .await?;
        if response.is_accepted() {
            Ok(response.body)
        } else {
            Err(format!("{name}: {}", response.body).into())
        }
    }

    /// Creates an object that is accepted unchanged and without warnings.
    pub(crate) async fn create(&self, kind: &Kind, name: &str, spec: &Value) -> Fallible {
        let object = kind.object(name, spec.clone());
        let response = self.cluster.post(&kind.path("v1"), &object).await?;
        self.expect_stored(kind, &response, spec, &[]).await
    }

    /// Updates a stored object, or a subresource such as `/status`. Returns the response, the old
    /// object, and the new object as it was sent.
    pub(crate) async fn update(
        &self,
        kind: &Kind,
        name: &str,
        resource: &str,
        change: impl FnOnce(&mut Value),
    ) -> Fallible<(ServerResponse, Value, Value)> {
        let old = self.get(kind, name).await?;
        let mut new = old.clone();
        change(&mut new);
        let path = format!("{}/{name}{resource}", kind.path("v1"));
        let response = self.cluster.put(&path, &new).await?;
        Ok((response, old, new))
    }
}
