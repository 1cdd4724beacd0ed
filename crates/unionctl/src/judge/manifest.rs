//! Adds the fields that manifests lack: kubectl adds them before a request, and servers before
//! storing.

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
pub(crate) fn complete(new: &mut Value, stored: Option<&Value>, is_namespaced: bool) {
    let Some(metadata) = metadata_of(new) else {
        return;
    };
    let stored = |field: &str| stored.and_then(|stored| stored.get("metadata")?.get(field));
    if is_namespaced && !metadata.contains_key("namespace") {
        let namespace = stored("namespace").cloned();
        metadata.insert(
            "namespace".to_owned(),
            namespace.unwrap_or(json!(DEFAULT_NAMESPACE)),
        );
    }
    for field in SERVER_FIELDS {
        if let (Some(value), false) = (stored(field), metadata.contains_key(field)) {
            metadata.insert(field.to_owned(), value.clone());
        }
    }
}

/// Adds the fields that a stored object has and a manifest lacks.
pub(crate) fn complete_stored(stored: &mut Value, is_namespaced: bool) {
    normalize_numbers(stored);
    complete(stored, None, is_namespaced);
    if let Some(metadata) = metadata_of(stored) {
        let version = metadata.entry("resourceVersion");
        version.or_insert_with(|| json!("1"));
    }
}

/// Adds the fields that a stored CRD has and a manifest lacks. The CRD has objects, so it gets the
/// condition `Established`, unless a condition of this type exists.
pub(crate) fn complete_stored_crd(stored: &mut Value) {
    complete_stored(stored, false);
    let status = stored.as_object_mut().map(|stored| {
        let status = stored.entry("status").or_insert(Value::Null);
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
