//! Formats the values of schemas for error messages.

use serde_json::Value;

/// Formats the value of `type`. A list of at most seven names is printed with its names, because
/// JSON Schema has seven types.
pub(crate) fn format_type(value: &Value) -> String {
    let names = value.as_array().filter(|names| names.len() <= 7);
    let names: Option<Vec<&str>> =
        names.and_then(|names| names.iter().map(Value::as_str).collect());
    names.map_or_else(
        || format_value(value),
        |names| format!("[{}]", format_list(&names)),
    )
}

/// Formats a value. A list or an object is not printed, because it may be large and deep.
pub(crate) fn format_value(value: &Value) -> String {
    match value {
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
        value => value.to_string(),
    }
}

/// Formats strings in quotes, separated by commas.
pub(crate) fn format_list(values: &[&str]) -> String {
    let quoted: Vec<String> = values.iter().map(|value| format!("{value:?}")).collect();
    quoted.join(", ")
}
