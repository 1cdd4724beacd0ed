//! Functions that read objects from JSON and return the lines of a result.

use serde::de::DeserializeOwned;
use serde_json::Value;
use union_runtime::Report;

pub(crate) fn read<T: DeserializeOwned>(json: Value) -> T {
    serde_json::from_value(json).expect("a readable value")
}

/// Returns the errors as lines.
pub(crate) fn lines(report: &Report) -> Vec<String> {
    report.errors().iter().map(ToString::to_string).collect()
}
