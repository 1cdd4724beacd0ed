//! Constructors of schema errors.

use union_runtime::path::{Path, PathStep};
use union_runtime::{BadValue, Violation, ViolationKind};

use super::dotted_path::{DottedPath, to_dotted_path};
use crate::schema::print;

/// Returns the error `spec.a: Invalid value: 1: spec.a in body should ...`.
pub(in crate::validate) fn invalid(path: &Path<'_>, bad_value: BadValue, rule: &str) -> Violation {
    body_violation(ViolationKind::Invalid, path, bad_value, rule)
}

/// Returns an error whose message is the path, `in body` and the rule.
pub(in crate::validate) fn body_violation(
    kind: ViolationKind,
    path: &Path<'_>,
    bad_value: BadValue,
    rule: &str,
) -> Violation {
    let path = DottedPath::from_path(path);
    let detail = format!("{path} in body {rule}");
    Violation::from_parts(kind, path.into_path(), bad_value, detail).with_rule(rule)
}

pub(in crate::validate) fn too_many(path: &Path<'_>, count: i64, limit: i64) -> Violation {
    let items = if limit == 1 { "item" } else { "items" };
    let detail = format!("must have at most {limit} {items}");
    let bad_value = print::bad_number(count);
    Violation::from_parts(
        ViolationKind::TooMany,
        to_dotted_path(path),
        bad_value,
        detail,
    )
}

pub(in crate::validate) fn required(path: &Path<'_>) -> Violation {
    let kind = ViolationKind::Required;
    Violation::from_parts(kind, to_dotted_path(path), BadValue::Omitted, String::new())
}

/// Returns the error for a key that `additionalProperties: false` forbids.
pub(in crate::validate) fn forbidden_key(path: &Path<'_>, key: &str) -> Violation {
    let rule = "in body is a forbidden property";
    let detail = format!(
        "{} {rule}",
        DottedPath::from_path(&path.step(PathStep::Key(key)))
    );
    let bad_value = BadValue::Quoted(key.to_owned());
    Violation::from_parts(
        ViolationKind::Invalid,
        to_dotted_path(path),
        bad_value,
        detail,
    )
    .with_rule(rule)
}

/// Returns an error that contains the path in its message, and prints an empty field. `rule` is the
/// message without the path.
pub(in crate::validate) fn violation_without_field(
    path: &Path<'_>,
    message: String,
    rule: &str,
) -> Violation {
    let path = to_dotted_path(path).with_printed_form("");
    let bad_value = BadValue::Quoted(String::new());
    Violation::from_parts(ViolationKind::Invalid, path, bad_value, message).with_rule(rule)
}
