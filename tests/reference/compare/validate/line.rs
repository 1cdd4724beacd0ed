//! Errors in a common form, so that the errors of both sides can be compared.

use serde_json::Value;
use union_runtime::{Report, Violation};

/// An error of one side. Our detail and our message consist of the reference's string and of
/// advice.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Line {
    pub(super) field: String,
    reason: String,
    value: String,
    detail: String,
    text: String,
}

pub(super) fn ours(report: &Report) -> Vec<Line> {
    let line = |violation: &Violation| {
        let cause = violation.cause();
        let get = |key: &str| cause[key].as_str().unwrap_or_default().to_owned();
        Line {
            field: get("field"),
            reason: get("reason"),
            value: violation.value().unwrap_or_default().to_owned(),
            detail: violation.detail().to_owned(),
            text: violation.to_string(),
        }
    };
    let mut lines: Vec<Line> = report.errors().iter().map(line).collect();
    lines.sort();
    lines
}

pub(super) fn theirs(answer: &Value) -> Vec<Line> {
    let line = |error: &Value| {
        let get = |key: &str| error[key].as_str().unwrap_or("?").to_owned();
        Line {
            field: get("field"),
            reason: get("type"),
            value: get("value"),
            detail: get("detail"),
            text: get("text"),
        }
    };
    let errors = answer["errors"].as_array();
    let mut lines: Vec<Line> = errors.into_iter().flatten().map(line).collect();
    lines.sort();
    lines
}

/// Returns true if the errors have the same fields, reasons and values, and if our details and
/// messages begin with the strings of the reference.
pub(super) fn is_same(theirs: &[Line], ours: &[Line]) -> bool {
    let begins = |ours: &str, theirs: &str| {
        let rest = ours.strip_prefix(theirs);
        rest.is_some_and(|rest| rest.starts_with(": "))
    };
    theirs.len() == ours.len()
        && theirs.iter().zip(ours).all(|(theirs, ours)| {
            theirs.field == ours.field
                && theirs.reason == ours.reason
                && theirs.value == ours.value
                && begins(&ours.detail, &theirs.detail)
                && begins(&ours.text, &theirs.text)
        })
}
