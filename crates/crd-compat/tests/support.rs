//! CRDs of tests, and a judge that is independent of the comparison.

use k8s_crd_validation::{ServerSettings, StructuralSchema};
use serde_json::{Value, json};

/// Returns a CRD with one version. `status` is a subresource if `has_status` is true.
pub(crate) fn crd_with(schema: &Value, has_status: bool) -> Value {
    let mut version = json!({
        "name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": schema},
    });
    if has_status {
        version["subresources"] = json!({"status": {}});
    }
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "things.example.com"},
        "spec": {
            "group": "example.com", "scope": "Namespaced",
            "names": {"kind": "Thing", "plural": "things", "singular": "thing", "listKind": "ThingList"},
            "versions": [version],
        },
    })
}

/// The server of a version.
pub(crate) struct Server {
    schema: StructuralSchema,
    has_status: bool,
}

impl Server {
    /// Returns the server of a new CRD; `None` if a server refuses the CRD.
    pub(crate) fn new(crd: &Value) -> Option<Self> {
        let schema = StructuralSchema::compiler().crd(crd, Some("v1")).ok()?;
        let subresources = crd.pointer("/spec/versions/0/subresources/status");
        Some(Self {
            schema,
            has_status: subresources.is_some(),
        })
    }

    /// Returns the stored object, or `None` if the server refuses the object or its status.
    pub(crate) fn create(&self, object: &Value) -> Option<Value> {
        let mut object = object.clone();
        object["apiVersion"] = json!("example.com/v1");
        object["kind"] = json!("Thing");
        if object["metadata"].is_null() {
            object["metadata"] = json!({});
        }
        let metadata = object["metadata"].as_object_mut()?;
        metadata.entry("name").or_insert_with(|| json!("example"));
        metadata.insert("namespace".to_owned(), json!("default"));
        let settings = ServerSettings::default();
        let mut stored = object.clone();
        if !self.schema.create(&mut stored, &settings).is_accepted() {
            return None;
        }
        if let (true, Some(status)) = (self.has_status, object.get("status")) {
            stored["metadata"]["resourceVersion"] = json!("1");
            let old = stored.clone();
            stored["status"] = status.clone();
            let report = self.schema.update_status(&mut stored, &old, &settings);
            if !report.is_accepted() {
                return None;
            }
        }
        let metadata = stored["metadata"].as_object_mut()?;
        metadata.remove("resourceVersion");
        metadata.remove("generation");
        Some(stored)
    }

    /// Returns true if the server accepts the replacement of a stored object.
    pub(crate) fn replaces(&self, old: &Value, new: &Value) -> bool {
        let complete = |object: &Value| {
            let mut object = object.clone();
            object["apiVersion"] = json!("example.com/v1");
            object["kind"] = json!("Thing");
            object["metadata"] =
                json!({"name": "example", "namespace": "default", "resourceVersion": "1"});
            object
        };
        let (old, mut new) = (complete(old), complete(new));
        let settings = ServerSettings::default();
        let status = new.get("status").cloned();
        let report = self.schema.update(&mut new, &old, &settings);
        let Some(status) = status.filter(|_| self.has_status && report.is_accepted()) else {
            return report.is_accepted();
        };
        let old = new.clone();
        new["status"] = status;
        self.schema
            .update_status(&mut new, &old, &settings)
            .is_accepted()
    }
}
