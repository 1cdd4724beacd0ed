//! Printing of values in error messages, as `pkg/util/validation/field` of `k8s.io/apimachinery`
//! prints them.

use core::fmt::{self, Write as _};

use serde_json::Value;

use k8s_json_internals::print::GoJson;
use k8s_json_internals::quote::GoQuoted;
use union_runtime::BadValue;

/// Returns the bad value of an error: a string in quotes, another scalar without quotes, or a list
/// or an object as JSON.
pub(crate) fn bad_value(value: &Value) -> BadValue {
    BadValue::from(value)
}

/// Returns a number as the bad value of an error.
pub(crate) fn bad_number(number: impl fmt::Display) -> BadValue {
    BadValue::Formatted(number.to_string())
}

/// Returns the list of the supported values of an enum, each in quotes. Values other than strings
/// are printed as JSON.
pub(crate) fn supported_values(values: &[Value]) -> String {
    let mut list = String::from("supported values: ");
    for (i, value) in values.iter().enumerate() {
        let comma = if i > 0 { ", " } else { "" };
        // Writing to a String cannot fail.
        let _ = match value {
            Value::String(value) => write!(list, "{comma}{}", GoQuoted(value)),
            other => write!(list, "{comma}{}", GoQuoted(&GoJson(other).to_string())),
        };
    }
    list
}
