//! What a CRD says of itself.

use serde_json::Value;

use crate::input::object::Type;

/// Whether an object is a CRD.
pub(crate) fn is_crd(object: &Value) -> bool {
    object.get("kind") == Some(&"CustomResourceDefinition".into())
}

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

fn all_versions(crd: &Value) -> impl Iterator<Item = &Value> {
    let versions = crd.pointer("/spec/versions").and_then(Value::as_array);
    versions.into_iter().flatten()
}

/// The names of the versions.
pub(crate) fn versions(crd: &Value) -> impl Iterator<Item = &str> {
    all_versions(crd).filter_map(|version| version.get("name")?.as_str())
}

/// The schemas of the versions: their names, and where they stand in the CRD.
pub(crate) fn schemas(crd: &Value) -> Vec<(&str, String, &Value)> {
    let versions = all_versions(crd).enumerate();
    let schemas = versions.filter_map(|(number, version)| {
        let name = version.get("name")?.as_str()?;
        let schema = version.pointer("/schema/openAPIV3Schema")?;
        let pointer = format!("/spec/versions/{number}/schema/openAPIV3Schema");
        Some((name, pointer, schema))
    });
    schemas.collect()
}

pub(crate) fn has_version(crd: &Value, name: &str) -> bool {
    versions(crd).any(|found| found == name)
}

/// Whether the objects live in namespaces.
pub(crate) fn is_namespaced(crd: &Value) -> bool {
    let scope = crd.pointer("/spec/scope");
    scope.is_none_or(|scope| scope != "Cluster")
}

pub(crate) fn stored_version(crd: &Value) -> Option<&str> {
    let stored =
        all_versions(crd).find(|version| version.get("storage") == Some(&Value::Bool(true)));
    stored?.get("name")?.as_str()
}

/// Whether status is a resource of its own in a version.
pub(crate) fn has_status(crd: &Value, version: Option<&str>) -> bool {
    let is_it = |found: &&Value| found.get("name").and_then(Value::as_str) == version;
    let version = all_versions(crd).find(is_it);
    let status = version.and_then(|version| version.pointer("/subresources/status"));
    status.is_some_and(Value::is_object)
}
