//! Printing of values in errors: `pkg/util/validation/field` of `k8s.io/apimachinery`.

use core::fmt::{self, Write as _};

use serde_json::Value;

use k8s_json_internals::print::GoJson;
use k8s_json_internals::quote::GoQuoted;
use union_runtime::BadValue;

/// Returns the value of an error: strings are quoted, other scalars are bare, lists and objects are
/// JSON.
pub(crate) fn bad_value(value: &Value) -> BadValue {
    BadValue::from(value)
}

/// Returns the number of an error.
pub(crate) fn bad_number(number: impl fmt::Display) -> BadValue {
    BadValue::Formatted(number.to_string())
}

/// Returns the supported values of an enum, each in quotes. Values other than strings are printed
/// as JSON.
pub(crate) fn supported_values(values: &[Value]) -> String {
    let mut text = String::from("supported values: ");
    for (i, value) in values.iter().enumerate() {
        let comma = if i > 0 { ", " } else { "" };
        // Writing to a String cannot fail.
        let _ = match value {
            Value::String(value) => write!(text, "{comma}{}", GoQuoted(value)),
            other => write!(text, "{comma}{}", GoQuoted(&GoJson(other).to_string())),
        };
    }
    text
}
