//! Schemas without a CRD, and objects without the fields that every object has.

use serde_json::{Map, Value, json};

/// Returns the CRD that a schema without a CRD is judged in.
pub(super) fn wrap_in_crd(schema: &Value, has_status: bool) -> Value {
    let mut version = json!({
        "name": "v1beta1",
        "served": true,
        "storage": true,
        "schema": { "openAPIV3Schema": schema },
    });
    if has_status {
        version["subresources"] = json!({ "status": {} });
    }
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": { "name": "mycoolcrds.mygroup.example.com" },
        "spec": {
            "group": "mygroup.example.com",
            "names": { "kind": "MyCoolCRD", "plural": "mycoolcrds" },
            "scope": "Namespaced",
            "versions": [version],
        },
    })
}

/// Returns the fields that objects may omit, with their values.
fn default_values() -> [(&'static str, Value); 3] {
    let metadata = json!({
        "name": "mycrdinstance",
        "namespace": "default",
        "resourceVersion": "7",
        "uid": "abc",
    });
    [
        ("apiVersion", json!("mygroup.example.com/v1beta1")),
        ("kind", json!("MyCoolCRD")),
        ("metadata", metadata),
    ]
}

/// The kind of objects that are judged by a schema alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TypeMetaMode {
    /// The kind that the object names.
    FromObject,
    /// The kind that is filled in. If the object has one of `apiVersion` and `kind`, it must agree.
    Defaulted,
}

impl TypeMetaMode {
    /// Returns the kind of an object of a line.
    pub(super) fn for_object(object: &Value) -> Self {
        let names = |field: &str| object.get(field).is_some();
        if names("apiVersion") && names("kind") {
            Self::FromObject
        } else {
            Self::Defaulted
        }
    }
}

/// The fields that were filled in.
#[derive(Default)]
pub(super) struct DefaultedFields(Vec<&'static str>);

/// Fills in the fields that an object omits.
pub(super) fn default_fields(object: &mut Value) -> DefaultedFields {
    let mut filled = Vec::new();
    if let Some(fields) = object.as_object_mut() {
        for (field, value) in default_values() {
            if !fields.contains_key(field) {
                fields.insert(field.to_owned(), value);
                filled.push(field);
            }
        }
    }
    DefaultedFields(filled)
}

impl DefaultedFields {
    /// Returns the fields of an update of the status, whose metadata is the metadata of the old
    /// object.
    pub(super) fn with_metadata_of(mut self, old: &Self) -> Self {
        self.0.retain(|field| *field != "metadata");
        self.0
            .extend(old.0.iter().filter(|field| **field == "metadata"));
        self
    }

    /// Removes the fields from an object.
    pub(super) fn remove_from(&self, object: &mut Value) {
        let fields: Option<&mut Map<String, Value>> = object.as_object_mut();
        if let Some(fields) = fields {
            fields.retain(|field, _| !self.0.contains(&field.as_str()));
        }
    }
}
