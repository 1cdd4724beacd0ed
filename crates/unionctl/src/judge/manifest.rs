//! Adds the fields that manifests lack. kubectl adds some of them before a request, and a server
//! adds others before it stores the object.

use k8s_crd_validation::normalize_numbers;
use serde_json::{Map, Value, json};

/// The fields of `metadata` that a server sets and a manifest lacks.
const SERVER_FIELDS: [&str; 5] = [
    "resourceVersion",
    "uid",
    "creationTimestamp",
    "generation",
    "managedFields",
];

/// The namespace of a manifest without a namespace.
const DEFAULT_NAMESPACE: &str = "default";

/// Adds the fields that a new object lacks: the namespace, and the fields that a server sets, which
/// are copied from the stored object.
pub(crate) fn complete(object: &mut Value, stored_object: Option<&Value>, is_namespaced: bool) {
    let Some(metadata) = metadata_mut(object) else {
        return;
    };
    let stored_field =
        |field: &str| stored_object.and_then(|stored| stored.get("metadata")?.get(field));
    if is_namespaced && !metadata.contains_key("namespace") {
        let namespace = stored_field("namespace").cloned();
        metadata.insert(
            "namespace".to_owned(),
            namespace.unwrap_or(json!(DEFAULT_NAMESPACE)),
        );
    }
    for field in SERVER_FIELDS {
        if let (Some(value), false) = (stored_field(field), metadata.contains_key(field)) {
            metadata.insert(field.to_owned(), value.clone());
        }
    }
}

/// Adds the fields that a stored object has and its manifest lacks.
pub(crate) fn complete_stored(object: &mut Value, is_namespaced: bool) {
    normalize_numbers(object);
    complete(object, None, is_namespaced);
    if let Some(metadata) = metadata_mut(object) {
        let version = metadata.entry("resourceVersion");
        version.or_insert_with(|| json!("1"));
    }
}

/// Adds the fields that a stored CRD has and its manifest lacks. The CRD gets the condition
/// `Established`, because only an established CRD has objects, unless it has a condition of this
/// type.
pub(crate) fn complete_stored_crd(crd: &mut Value) {
    complete_stored(crd, false);
    let status = crd.as_object_mut().map(|crd| {
        let status = crd.entry("status").or_insert(Value::Null);
        if status.is_null() {
            *status = json!({});
        }
        status
    });
    let conditions = status.and_then(Value::as_object_mut).map(|status| {
        let conditions = status.entry("conditions").or_insert(Value::Null);
        if conditions.is_null() {
            *conditions = json!([]);
        }
        conditions
    });
    if let Some(Value::Array(conditions)) = conditions
        && !conditions
            .iter()
            .any(|condition| condition["type"] == "Established")
    {
        conditions.push(json!({ "type": "Established", "status": "True" }));
    }
}

/// Adds a namespace to an object that does not have one.
pub(crate) fn set_missing_namespace(object: &mut Value, namespace: &str) {
    if let Some(metadata) = metadata_mut(object) {
        let field = metadata.entry("namespace");
        field.or_insert_with(|| json!(namespace));
    }
}

fn metadata_mut(object: &mut Value) -> Option<&mut Map<String, Value>> {
    let metadata = object.as_object_mut()?.entry("metadata");
    metadata.or_insert_with(|| json!({})).as_object_mut()
}
