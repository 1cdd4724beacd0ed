//! Values of schemas as they are shown in errors.

use serde_json::Value;

/// A `type` as it is shown: one name, or a list of a few.
pub(crate) fn shown_type(kind: &Value) -> String {
    let names = kind.as_array().filter(|names| names.len() <= 7);
    let names: Option<Vec<&str>> =
        names.and_then(|names| names.iter().map(Value::as_str).collect());
    names.map_or_else(|| shown(kind), |names| format!("[{}]", listed(&names)))
}

/// A value as it is shown: what it holds may be large, and deep.
pub(crate) fn shown(value: &Value) -> String {
    match value {
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
        value => value.to_string(),
    }
}

/// Texts, as they are listed in a message.
pub(crate) fn listed(values: &[&str]) -> String {
    let quoted: Vec<String> = values.iter().map(|value| format!("{value:?}")).collect();
    quoted.join(", ")
}
