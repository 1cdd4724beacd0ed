//! What a CRD says of itself.

use serde_json::Value;

use crate::object::Type;

pub(crate) fn group_of(crd: &Value) -> &str {
    let group = crd.pointer("/spec/group").and_then(Value::as_str);
    group.unwrap_or_default()
}

pub(crate) fn kind_of(crd: &Value) -> &str {
    let kind = crd.pointer("/spec/names/kind").and_then(Value::as_str);
    kind.unwrap_or_default()
}

/// Whether a CRD is for objects of a type. One that does not say is for all.
pub(crate) fn describes(crd: &Value, of: Type<'_>) -> bool {
    let agrees = |said: &str, found: &str| said.is_empty() || said == found;
    agrees(group_of(crd), of.group) && agrees(kind_of(crd), of.kind)
}

/// Whether a CRD is called so: by its own name, or by one of its kind's.
pub(crate) fn is_called(crd: &Value, name: &str) -> bool {
    ["/metadata/name", "/spec/names/kind", "/spec/names/plural"]
        .iter()
        .any(|place| crd.pointer(place).is_some_and(|found| found == name))
}

fn versions(crd: &Value) -> impl Iterator<Item = &Value> {
    let versions = crd.pointer("/spec/versions").and_then(Value::as_array);
    versions.into_iter().flatten()
}

pub(crate) fn has_version(crd: &Value, name: &str) -> bool {
    versions(crd).any(|version| version.get("name").is_some_and(|found| found == name))
}

pub(crate) fn stored_version(crd: &Value) -> Option<&str> {
    let stored = versions(crd).find(|version| version.get("storage") == Some(&Value::Bool(true)));
    stored?.get("name")?.as_str()
}
