//! The fields that kubectl adds to a manifest before it sends the manifest.

use k8s_crd_validation::normalize_numbers;
use serde_json::{Map, Value, json};

/// The fields of metadata that a server sets, and that a manifest does not have.
const SERVER_FIELDS: [&str; 5] = [
    "resourceVersion",
    "uid",
    "creationTimestamp",
    "generation",
    "managedFields",
];

/// The namespace of a manifest that does not have a namespace.
const DEFAULT_NAMESPACE: &str = "default";

/// Adds to the new object the fields that it lacks: a namespace, and the fields that the server
/// sets, with the values of the stored object.
pub(crate) fn complete(new: &mut Value, old: Option<&Value>, is_namespaced: bool) {
    let Some(metadata) = metadata_of(new) else {
        return;
    };
    let old = |field: &str| old.and_then(|old| old.get("metadata")?.get(field));
    if is_namespaced && !metadata.contains_key("namespace") {
        let namespace = old("namespace").cloned();
        metadata.insert(
            "namespace".to_owned(),
            namespace.unwrap_or(json!(DEFAULT_NAMESPACE)),
        );
    }
    for field in SERVER_FIELDS {
        if let (Some(value), false) = (old(field), metadata.contains_key(field)) {
            metadata.insert(field.to_owned(), value.clone());
        }
    }
}

/// Completes an object of a file as if it were stored.
pub(crate) fn complete_stored(old: &mut Value, is_namespaced: bool) {
    normalize_numbers(old);
    complete(old, None, is_namespaced);
    if let Some(metadata) = metadata_of(old) {
        let version = metadata.entry("resourceVersion");
        version.or_insert_with(|| json!("1"));
    }
}

/// Completes a CRD of a file as if it were stored: it is established, as a CRD with objects is,
/// unless it has another condition of this type.
pub(crate) fn complete_stored_crd(old: &mut Value) {
    complete_stored(old, false);
    let status = old.as_object_mut().map(|old| {
        let status = old.entry("status").or_insert(Value::Null);
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

fn metadata_of(object: &mut Value) -> Option<&mut Map<String, Value>> {
    let metadata = object.as_object_mut()?.entry("metadata");
    metadata.or_insert_with(|| json!({})).as_object_mut()
}
