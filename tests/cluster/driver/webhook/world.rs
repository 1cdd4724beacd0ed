//! The kinds that the webhook is called for, and the expected responses.

use std::fmt::Debug;

use k8s_crd_validation::StructuralSchema;
use serde::Deserialize as _;
use serde_json::{Value, json};
use union_json::{ANNOTATION, SchemaSource, Unions};
use union_kube::Crd;
use union_runtime::{ObjectRef, Report, Settings, Union as _, Violation};

use crate::cluster::{Answer, Cluster, Fallible, text};
use crate::types::none;

/// The server's prefix of a message of the webhook.
const DENIED: &str =
    r#"admission webhook "validate.union-webhook.example.com" denied the request: "#;

/// The maximal length of a warning of the webhook, in characters.
const LONGEST_WARNING: usize = 256;

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
    pub(crate) fn of(crd: Value) -> Fallible<Self> {
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

    pub(crate) fn object(&self, name: &str, spec: Value) -> Value {
        self.object_of("v1", name, spec)
    }

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
    pub(crate) fn denied(&self, name: &str, report: &Report) -> Fallible<Value> {
        let mut status = self.status(name, report).ok_or("nothing is wrong")?;
        status["message"] = (DENIED.to_owned() + &text(&status["message"])).into();
        Ok(status)
    }

    /// The status with which a server rejects an object of the kind, if it does.
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
    pub(crate) async fn serve_over(&self, cluster: &Cluster, stored: &[Value]) -> Fallible {
        let mut lax = self.crd.clone();
        lax["spec"]["versions"][0]["schema"]["openAPIV3Schema"] =
            json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true});
        cluster.serve(&lax).await?;
        for object in stored {
            let answer = cluster.post(&self.path("v1"), object).await?;
            if !answer.is_accepted() {
                return Err(format!("cannot be stored: {:?}", answer.causes()).into());
            }
        }
        let mut spec = self.crd["spec"].clone();
        let mut second = spec["versions"][0].clone();
        second["name"] = "v2".into();
        second["storage"] = false.into();
        without_rules(&mut second);
        spec["versions"]
            .as_array_mut()
            .ok_or("no versions")?
            .push(second);
        let name = text(&self.crd["metadata"]["name"]);
        cluster.change(&name, &spec).await?;
        Ok(())
    }
}

fn without_rules(schema: &mut Value) {
    match schema {
        Value::Object(object) => {
            object.remove("x-kubernetes-validations");
            object.values_mut().for_each(without_rules);
        }
        Value::Array(items) => items.iter_mut().for_each(without_rules),
        _ => {}
    }
}

/// Returns the CRD of our types, with a status that has the same unions as the spec.
pub(crate) fn things(group: &str) -> Fallible<Value> {
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
    let places = unions["v1"].as_object_mut().ok_or("no unions")?;
    let of_status: Vec<(String, Value)> = places
        .iter()
        .filter_map(|(place, union)| {
            let rest = place.strip_prefix(SPEC)?;
            Some((format!("/properties/status/{rest}"), union.clone()))
        })
        .collect();
    places.extend(of_status);
    *annotation = unions.to_string().into();
    Ok(crd)
}

/// Returns the normalized object and the result of native `admit_unions`.
pub(crate) fn native(new: &Value, old: Option<&Value>) -> Fallible<(Value, Report)> {
    let mut new = none::Thing::deserialize(new)?;
    let old = old.map(none::Thing::deserialize).transpose()?;
    let report = new.admit_unions(old.as_ref(), &Settings::default());
    Ok((serde_json::to_value(new)?, report))
}

/// Returns the warning about a tolerated violation.
pub(crate) fn warning(tolerated: &Violation) -> String {
    let text = format!("tolerated, because the stored object has the same error: {tolerated}");
    if text.chars().count() <= LONGEST_WARNING {
        return text;
    }
    text.chars().take(LONGEST_WARNING - 3).collect::<String>() + "..."
}

/// Returns an error if a value is not the expected one.
pub(crate) fn same<T: PartialEq + Debug>(what: &str, found: &T, foretold: &T) -> Fallible {
    if found == foretold {
        return Ok(());
    }
    Err(format!("{what}: {found:#?}\nforetold: {foretold:#?}").into())
}

/// Checks that the response rejects the request with this status, these fields and these warnings.
pub(crate) fn refused(
    answer: &Answer,
    status: &Value,
    fields: &[&str],
    warnings: &[String],
) -> Fallible {
    same("code", &answer.code, &422)?;
    same("status", &answer.body, status)?;
    let causes = answer.body["details"]["causes"].as_array();
    let found: Vec<String> = causes
        .into_iter()
        .flatten()
        .map(|cause| text(&cause["field"]))
        .collect();
    same(
        "fields",
        &found.iter().map(String::as_str).collect(),
        &fields.to_vec(),
    )?;
    same("warnings", &answer.warnings, &warnings.to_vec())
}

impl World<'_> {
    /// Checks that the response accepts the request, and that the stored object has this spec.
    pub(crate) async fn stored(
        &self,
        kind: &Kind,
        answer: &Answer,
        spec: &Value,
        warnings: &[String],
    ) -> Fallible {
        if !answer.is_accepted() {
            return Err(format!("refused: {}", answer.body).into());
        }
        same("spec", &answer.body["spec"], spec)?;
        same("warnings", &answer.warnings, &warnings.to_vec())?;
        let name = text(&answer.body["metadata"]["name"]);
        let stored = self.get(kind, &name).await?;
        same("stored spec", &stored["spec"], spec)
    }

    pub(crate) async fn get(&self, kind: &Kind, name: &str) -> Fallible<Value> {
        let answer = self
            .cluster
            .get(&format!("{}/{name}", kind.path("v1")))
            .await?;
        if answer.is_accepted() {
            Ok(answer.body)
        } else {
            Err(format!("{name}: {}", answer.body).into())
        }
    }

    /// Creates an object that is accepted unchanged and without warnings.
    pub(crate) async fn create(&self, kind: &Kind, name: &str, spec: &Value) -> Fallible {
        let object = kind.object(name, spec.clone());
        let answer = self.cluster.post(&kind.path("v1"), &object).await?;
        self.stored(kind, &answer, spec, &[]).await
    }

    /// Updates a stored object, or a subresource such as `/status`. Returns the response, the old
    /// object, and the new object as it was sent.
    pub(crate) async fn update(
        &self,
        kind: &Kind,
        name: &str,
        resource: &str,
        change: impl FnOnce(&mut Value),
    ) -> Fallible<(Answer, Value, Value)> {
        let old = self.get(kind, name).await?;
        let mut new = old.clone();
        change(&mut new);
        let path = format!("{}/{name}{resource}", kind.path("v1"));
        let answer = self.cluster.put(&path, &new).await?;
        Ok((answer, old, new))
    }
}
