//! The type and the name of an object, as its fields declare them.

use serde_json::Value;

/// The API group, the version and the kind of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct GroupVersionKind<'v> {
    /// The API group; empty for the core group of Kubernetes.
    pub(crate) group: &'v str,
    pub(crate) version: &'v str,
    pub(crate) kind: &'v str,
}

/// Returns the group, version and kind of an object; `None` if `apiVersion` or `kind` is missing.
pub(crate) fn group_version_kind(object: &Value) -> Option<GroupVersionKind<'_>> {
    let kind = object.get("kind")?.as_str()?;
    let api_version = object.get("apiVersion")?.as_str()?;
    let (group, version) = api_version.split_once('/').unwrap_or(("", api_version));
    Some(GroupVersionKind {
        group,
        version,
        kind,
    })
}

/// Returns the kind and the name of an object for messages: `Backup "nightly"`.
pub(crate) fn display_name(object: &Value) -> String {
    let name = object.pointer("/metadata/name").and_then(Value::as_str);
    display_kind_and_name(object, name)
}

/// Returns the kind of an object and this name for messages: `Backup "default/nightly"`.
pub(crate) fn display_kind_and_name(object: &Value, name: Option<&str>) -> String {
    let kind = object.get("kind").and_then(Value::as_str);
    let kind = kind.unwrap_or("an object without a kind");
    match name {
        Some(name) => format!("{kind} {name:?}"),
        None => kind.to_owned(),
    }
}

/// Returns the type of a JSON value, for messages.
pub(crate) fn json_type_name(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}
