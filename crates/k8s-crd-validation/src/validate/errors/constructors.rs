//! Constructors of schema errors.

use union_runtime::path::{Path, Step};
use union_runtime::{Found, Violation, ViolationKind};

use super::dotted::{Dotted, dotted};
use crate::schema::print;

/// Returns the error `spec.a: Invalid value: 1: spec.a in body should ...`.
pub(in crate::validate) fn invalid(path: &Path<'_>, found: Found, rule: &str) -> Violation {
    of_kind(ViolationKind::Invalid, path, found, rule)
}

/// Returns an error of a kind, whose message names the path before the rule.
pub(in crate::validate) fn of_kind(
    kind: ViolationKind,
    path: &Path<'_>,
    found: Found,
    rule: &str,
) -> Violation {
    let path = Dotted::of(path);
    let detail = format!("{path} in body {rule}");
    Violation::found(kind, path.into_path(), found, detail).with_rule(rule)
}

pub(in crate::validate) fn too_many(path: &Path<'_>, count: i64, most: i64) -> Violation {
    let items = if most == 1 { "item" } else { "items" };
    let detail = format!("must have at most {most} {items}");
    let found = print::number(count);
    Violation::found(ViolationKind::TooMany, dotted(path), found, detail)
}

pub(in crate::validate) fn required(path: &Path<'_>) -> Violation {
    let kind = ViolationKind::Required;
    Violation::found(kind, dotted(path), Found::Nothing, String::new())
}

pub(in crate::validate) fn forbidden_key(path: &Path<'_>, key: &str) -> Violation {
    let rule = "in body is a forbidden property";
    let detail = format!("{} {rule}", Dotted::of(&path.step(Step::Key(key))));
    let found = Found::Text(key.to_owned());
    Violation::found(ViolationKind::Invalid, dotted(path), found, detail).with_rule(rule)
}

/// Returns an error that contains the path in its message, and prints an empty field. `rule` is the
/// message without the path.
pub(in crate::validate) fn unplaced(path: &Path<'_>, message: String, rule: &str) -> Violation {
    let path = dotted(path).printed_as("");
    let found = Found::Text(String::new());
    Violation::found(ViolationKind::Invalid, path, found, message).with_rule(rule)
}
