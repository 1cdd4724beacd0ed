//! Prints documents.

use serde_json::Value;

/// Returns a document as JSON with an indent of two spaces, sorted keys, and a line break at the
/// end. The result does not depend on features that other crates of the build switch on.
///
/// ```
/// let document = serde_json::json!({"kind": "K", "apiVersion": "v1"});
/// let text = "{\n  \"apiVersion\": \"v1\",\n  \"kind\": \"K\"\n}\n";
/// assert_eq!(union_kube::to_json_string(&document), text);
/// ```
#[must_use]
pub fn to_json_string(document: &Value) -> String {
    format!("{:#}\n", with_sorted_keys(document.clone()))
}

/// Returns the same value with sorted keys. `serde_json` keeps the order of insertion if another
/// crate of the build switches on `preserve_order`.
pub(crate) fn with_sorted_keys(value: Value) -> Value {
    match value {
        Value::Object(object) => {
            let mut entries: Vec<(String, Value)> = object.into_iter().collect();
            entries.sort_by(|(a, _), (b, _)| a.cmp(b));
            let entries = entries.into_iter();
            Value::Object(
                entries
                    .map(|(key, value)| (key, with_sorted_keys(value)))
                    .collect(),
            )
        }
        Value::Array(values) => values.into_iter().map(with_sorted_keys).collect(),
        scalar => scalar,
    }
}
