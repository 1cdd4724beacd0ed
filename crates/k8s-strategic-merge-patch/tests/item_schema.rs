//! The schema of most tests, and functions that create and apply patches with the schema.

use k8s_strategic_merge_patch::{DiffError, OnConflict, PatchError, PatchErrorKind, PatchSchema};
use serde_json::{Value, json};

/// Returns the schema of an item, which has a field of each strategy and contains itself.
pub(crate) fn compile_item_schema() -> PatchSchema {
    let schema = PatchSchema::compile(&item_schema());
    schema.expect("the schema is well formed")
}

pub(crate) fn item_schema() -> Value {
    let items = |strategy: &str, key: &str| {
        json!({
            "type": "array",
            "items": {"$ref": "#/definitions/Item"},
            "x-kubernetes-patch-strategy": strategy,
            "x-kubernetes-patch-merge-key": key,
        })
    };
    json!({
        "$ref": "#/definitions/Item",
        "definitions": {"Item": {"type": "object", "properties": {
            "name": {"type": "string"},
            "a": {"type": "string"},
            "b": {"type": "string"},
            "merged": items("merge", "name"),
            "retained": items("merge,retainKeys", "name"),
            "atomic": {"type": "array", "items": {"$ref": "#/definitions/Item"}},
            "set": {
                "type": "array",
                "items": {"type": "integer"},
                "x-kubernetes-patch-strategy": "merge",
            },
            "numbers": {"type": "array", "items": {"type": "integer"}},
            "union": {"$ref": "#/definitions/Item", "x-kubernetes-patch-strategy": "retainKeys"},
            "whole": {"type": "object", "x-kubernetes-patch-strategy": "replace"},
            "inner": {"$ref": "#/definitions/Item"},
            "free": {"type": "object", "additionalProperties": {"type": "string"}},
            "keyless": {
                "type": "array",
                "items": {"$ref": "#/definitions/Item"},
                "x-kubernetes-patch-strategy": "merge",
            },
            "bad": {
                "type": "object",
                "properties": {},
                "x-kubernetes-patch-strategy": "merge,replace",
            },
            "odd": {"type": "object", "properties": {}, "x-kubernetes-patch-strategy": ["merge"]},
        }}},
    })
}

#[track_caller]
pub(crate) fn apply(target: Value, patch: Value) -> Value {
    compile_item_schema()
        .apply(target, &patch)
        .expect("the patch is good")
}

#[track_caller]
pub(crate) fn apply_error(target: Value, patch: Value) -> PatchError {
    compile_item_schema()
        .apply(target, &patch)
        .expect_err("the patch is not good")
}

#[track_caller]
pub(crate) fn assert_apply_error(live: Value, patch: Value, kind: PatchErrorKind, location: &str) {
    let error = apply_error(live, patch);
    assert_eq!(
        (error.kind(), error.path().as_str()),
        (kind, location),
        "{error}"
    );
}

#[track_caller]
pub(crate) fn diff(original: Value, modified: Value) -> Value {
    let patch = compile_item_schema().diff(&original, &modified);
    patch.expect("a patch can be made of them").into()
}

#[track_caller]
pub(crate) fn three_way(original: Value, modified: Value, current: Value) -> Value {
    let patch =
        compile_item_schema().three_way(&original, &modified, &current, OnConflict::Overwrite);
    patch.expect("a patch can be made of them").into()
}

pub(crate) fn three_way_checked(
    original: Value,
    modified: Value,
    live: Value,
) -> Result<Value, DiffError> {
    let patch = compile_item_schema().three_way(&original, &modified, &live, OnConflict::Fail);
    patch.map(Value::from)
}

/// Returns the names of the elements of a list, or the elements themselves.
pub(crate) fn names_or_elements(list: &Value) -> Vec<&Value> {
    let list = list.as_array().expect("a list");
    list.iter()
        .map(|item| item.get("name").unwrap_or(item))
        .collect()
}
