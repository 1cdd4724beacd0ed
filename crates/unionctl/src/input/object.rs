//! What an object says of itself.

use serde_json::Value;

/// `apiVersion` and `kind`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Type<'v> {
    /// Empty for Kubernetes' own core group.
    pub(crate) group: &'v str,
    pub(crate) version: &'v str,
    pub(crate) kind: &'v str,
}

/// The type of an object; `None` if it does not say, as a part of an object does not.
pub(crate) fn type_of(object: &Value) -> Option<Type<'_>> {
    let kind = object.get("kind")?.as_str()?;
    let api_version = object.get("apiVersion")?.as_str()?;
    let (group, version) = api_version.split_once('/').unwrap_or(("", api_version));
    Some(Type {
        group,
        version,
        kind,
    })
}

/// How to call an object where there are several: `Backup "nightly"`.
pub(crate) fn name_of(object: &Value) -> String {
    let kind = object.get("kind").and_then(Value::as_str);
    let kind = kind.unwrap_or("an object without a kind");
    match object.pointer("/metadata/name").and_then(Value::as_str) {
        Some(name) => format!("{kind} {name:?}"),
        None => kind.to_owned(),
    }
}

/// What a value is, for messages.
pub(crate) fn what_is(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}
