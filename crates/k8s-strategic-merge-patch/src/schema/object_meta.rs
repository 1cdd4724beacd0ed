//! The fields that all objects have, which the schema of a CRD does not describe.

use serde_json::{Value, json};

/// Sets the schemas of `apiVersion`, `kind` and `metadata` in the schema of a root. A schema
/// without `properties` describes no field, and does not change.
pub(super) fn complete_root(schema: &mut Value) {
    let properties = schema.get_mut("properties");
    if let Some(properties) = properties.and_then(Value::as_object_mut) {
        for name in ["apiVersion", "kind"] {
            properties.insert(name.to_owned(), json!({"type": "string"}));
        }
        properties.insert("metadata".to_owned(), object_meta());
    }
}

/// Returns the schema of `metadata`, with the fields and the patch strategies of `ObjectMeta`
/// (`k8s.io/apimachinery`, `pkg/apis/meta/v1/types.go`, v0.37).
fn object_meta() -> Value {
    let string = json!({"type": "string"});
    let boolean = json!({"type": "boolean"});
    let integer = json!({"type": "integer"});
    let strings = json!({"type": "object", "additionalProperties": string});
    let owner_reference = json!({"type": "object", "properties": {
        "apiVersion": string, "kind": string, "name": string, "uid": string,
        "controller": boolean, "blockOwnerDeletion": boolean,
    }});
    let managed_fields = json!({"type": "object", "properties": {
        "apiVersion": string, "fieldsType": string, "manager": string, "operation": string,
        "subresource": string, "time": string, "fieldsV1": {"type": "object"},
    }});
    json!({"type": "object", "properties": {
        "name": string, "generateName": string, "namespace": string, "selfLink": string,
        "uid": string, "resourceVersion": string, "generation": integer,
        "creationTimestamp": string, "deletionTimestamp": string,
        "deletionGracePeriodSeconds": integer,
        "labels": strings, "annotations": strings,
        "ownerReferences": {
            "type": "array", "items": owner_reference,
            "x-kubernetes-patch-strategy": "merge", "x-kubernetes-patch-merge-key": "uid",
        },
        "finalizers": {
            "type": "array", "items": string, "x-kubernetes-patch-strategy": "merge",
        },
        "managedFields": {"type": "array", "items": managed_fields},
    }})
}
