//! Values of schemas as errors show them.

use serde_json::Value;

/// Returns a `type` as errors show it: one name, or a list of at most seven.
pub(crate) fn shown_type(kind: &Value) -> String {
    let names = kind.as_array().filter(|names| names.len() <= 7);
    let names: Option<Vec<&str>> =
        names.and_then(|names| names.iter().map(Value::as_str).collect());
    names.map_or_else(|| shown(kind), |names| format!("[{}]", listed(&names)))
}

/// Returns a value as errors show it. Lists and objects are only named, because they may be large
/// and deep.
pub(crate) fn shown(value: &Value) -> String {
    match value {
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
        value => value.to_string(),
    }
}

/// Returns strings as a message lists them.
pub(crate) fn listed(values: &[&str]) -> String {
    let quoted: Vec<String> = values.iter().map(|value| format!("{value:?}")).collect();
    quoted.join(", ")
}
