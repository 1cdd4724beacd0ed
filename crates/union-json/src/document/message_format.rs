//! Functions that write values of schemas for error messages.

use serde_json::Value;

/// Returns the value of `type` for an error message. A list of at most seven names is written out.
pub(crate) fn format_type(kind: &Value) -> String {
    let names = kind.as_array().filter(|names| names.len() <= 7);
    let names: Option<Vec<&str>> =
        names.and_then(|names| names.iter().map(Value::as_str).collect());
    names.map_or_else(
        || format_value(kind),
        |names| format!("[{}]", format_list(&names)),
    )
}

/// Returns a value for an error message. A list or an object is not written out, because it may be
/// large and deep.
pub(crate) fn format_value(value: &Value) -> String {
    match value {
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
        value => value.to_string(),
    }
}

/// Returns strings for an error message, in quotes and separated by commas.
pub(crate) fn format_list(values: &[&str]) -> String {
    let quoted: Vec<String> = values.iter().map(|value| format!("{value:?}")).collect();
    quoted.join(", ")
}
