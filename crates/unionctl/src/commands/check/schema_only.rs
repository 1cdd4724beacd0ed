//! Support for schemas without a CRD, and for objects without `apiVersion`, `kind` or `metadata`.

use k8s_crd_validation::DuplicateKey;
use k8s_crd_validation::crd::Review;
use serde_json::{Map, Value, json};
use union_runtime::path::PathStep;

use crate::judge::reply::unknown_field::UnknownFieldReply;

/// Returns a CRD with this schema, for checks that need a CRD.
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

/// The path of the schema in the CRD of [`wrap_in_crd`].
const SCHEMA_PATH: [PathStep<'_>; 5] = [
    PathStep::Field("spec"),
    PathStep::Field("versions"),
    PathStep::Index(0),
    PathStep::Field("schema"),
    PathStep::Field("openAPIV3Schema"),
];

/// Returns a duplicate key of a schema with its path in the CRD of [`wrap_in_crd`].
pub(super) fn path_in_crd(key: DuplicateKey) -> DuplicateKey {
    match key {
        DuplicateKey::Json(path) => {
            DuplicateKey::Json(SCHEMA_PATH.into_iter().chain(path.steps()).collect())
        }
        key_outside_json => key_outside_json,
    }
}

/// Returns the unknown fields of a schema, with their paths in the schema.
pub(super) fn unknown_fields(schema: &Value, review: Review<'_>) -> Vec<UnknownFieldReply> {
    let fields = review.unknown_fields(&wrap_in_crd(schema, false));
    let fields = UnknownFieldReply::from_fields(&fields, None).into_iter();
    fields
        .map(|field| field.without_first_steps(SCHEMA_PATH.len()))
        .collect()
}

/// Returns the fields that [`default_fields`] adds to objects, with their values.
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

/// The source of `apiVersion` and `kind` for objects that are validated by a schema alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TypeMetaMode {
    /// The object has both `apiVersion` and `kind`.
    FromObject,
    /// The default values. If the object has one of `apiVersion` and `kind`, its value must be the
    /// default.
    Defaulted,
}

impl TypeMetaMode {
    /// Returns the mode for an object.
    pub(super) fn for_object(object: &Value) -> Self {
        let has = |field: &str| object.get(field).is_some();
        if has("apiVersion") && has("kind") {
            Self::FromObject
        } else {
            Self::Defaulted
        }
    }
}

/// The names of the fields that were added to an object.
#[derive(Default)]
pub(super) struct DefaultedFields(Vec<&'static str>);

/// Adds the fields that an object omits, and returns their names.
pub(super) fn default_fields(object: &mut Value) -> DefaultedFields {
    let mut added_fields = Vec::new();
    if let Some(fields) = object.as_object_mut() {
        for (field, value) in default_values() {
            if !fields.contains_key(field) {
                fields.insert(field.to_owned(), value);
                added_fields.push(field);
            }
        }
    }
    DefaultedFields(added_fields)
}

impl DefaultedFields {
    /// Returns the added fields of a status update. The server copies `metadata` from the old
    /// object, so `metadata` was added if and only if it was added to the old object.
    pub(super) fn with_metadata_of(mut self, old_object_fields: &Self) -> Self {
        self.0.retain(|field| *field != "metadata");
        self.0.extend(
            old_object_fields
                .0
                .iter()
                .filter(|field| **field == "metadata"),
        );
        self
    }

    /// Removes the added fields from an object.
    pub(super) fn remove_from(&self, object: &mut Value) {
        let fields: Option<&mut Map<String, Value>> = object.as_object_mut();
        if let Some(fields) = fields {
            fields.retain(|field, _| !self.0.contains(&field.as_str()));
        }
    }
}
