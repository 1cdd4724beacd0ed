//! Keywords that are not allowed anywhere in a CRD.

use super::demands::Demands;
use super::errors::{Errors, Severity};
use crate::schema::Kind;
use crate::schema::place::Place;
use crate::schema::props::{Items, Props};
use k8s_cel::pattern::Patterns;
use serde_json::{Map, Value};
use union_runtime::path::{FieldPath, Step};
use union_runtime::{Found, ViolationKind};

const PATTERN: &str = "pattern";

/// The keywords by which a server validates, in a schema that is not structural, and which this
/// crate does not support.
const UNJUDGED: [&str; 5] = [
    "$ref",
    "additionalItems",
    "dependencies",
    "items",
    "patternProperties",
];

/// Returns true if the error at a path is an error of a pattern.
pub(super) fn is_of_pattern(path: &FieldPath) -> bool {
    keyword(path) == Some(PATTERN)
}

/// Returns true if the error at a path is an error of a keyword in `UNJUDGED`.
pub(super) fn is_unjudged(path: &FieldPath) -> bool {
    keyword(path).is_some_and(|keyword| UNJUDGED.contains(&keyword))
}

/// Returns the keyword of an error. In paths, keywords are fields, and names of properties are
/// keys.
fn keyword(path: &FieldPath) -> Option<&str> {
    match path.steps().next_back()? {
        Step::Field(keyword) => Some(keyword),
        Step::Key(_) | Step::Index(_) => None,
    }
}

/// Checks the keywords of a schema. `root` is the path of the whole schema.
pub(super) fn check(
    props: &Props<'_>,
    at: &Place<'_>,
    root: &FieldPath,
    demands: Demands,
    patterns: &mut Patterns,
    errors: &mut Errors,
) {
    let is_set = |value: &str| !value.is_empty();
    let has_entries = |map: Option<&Map<String, Value>>| map.is_some_and(|map| !map.is_empty());
    // The last entry is true if a server stops at the keyword. Empty values of some keywords do not
    // stop it.
    let unsupported = [
        (
            "$ref",
            props.reference.is_some(),
            props.reference.is_some_and(is_set),
        ),
        ("id", is_set(props.id), true),
        ("definitions", has_entries(props.definitions), true),
        (
            "dependencies",
            props.dependencies.is_some(),
            has_entries(props.dependencies),
        ),
        ("additionalItems", props.additional_items.is_some(), true),
        (
            "patternProperties",
            has_entries(props.pattern_properties),
            true,
        ),
    ];
    for (keyword, is_there, ends) in unsupported {
        if is_there {
            let severity = if ends {
                Severity::Stops
            } else {
                Severity::Continues
            };
            let detail = format!("{keyword} is not supported");
            errors.push_as(severity, at.field(keyword).forbidden(&detail));
        }
    }
    if is_set(props.schema) {
        let found = Found::Text(String::new());
        let detail = "OpenAPIV3Schema 'schema' is not supported";
        errors.push_stopping(Place::root(root).found(ViolationKind::Invalid, found, detail));
    }
    check_values(props, at, demands, errors);
    if !props.pattern.is_empty()
        && let Err(problem) = patterns.check(props.pattern)
    {
        let found = Found::Text(props.pattern.to_owned());
        let at = at.field(PATTERN);
        errors.push(at.found(ViolationKind::Invalid, found, &problem.to_string()));
    }
}

/// Checks the values of supported keywords.
fn check_values(props: &Props<'_>, at: &Place<'_>, demands: Demands, errors: &mut Errors) {
    if props.unique_items {
        let detail =
            "uniqueItems cannot be set to true since the runtime complexity becomes quadratic";
        errors.push(at.field("uniqueItems").forbidden(detail));
    }
    // Seen: an empty list counts as absent.
    if let Some(Items::Several([_, ..])) = props.items {
        let detail = "items must be a schema object and not an array";
        errors.push_stopping(at.field("items").forbidden(detail));
    }
    check_kind(props, at, demands, errors);
    if props
        .properties
        .is_some_and(|properties| !properties.is_empty())
        && props
            .additional_properties
            .is_some_and(|schema| schema.as_bool() != Some(true))
    {
        let detail = "additionalProperties and properties are mutual exclusive";
        errors.push(at.field("additionalProperties").forbidden(detail));
    }
    if props.preserve_unknown_fields == Some(false) {
        let at = at.field("x-kubernetes-preserve-unknown-fields");
        let found = Found::Printed("false".to_owned());
        errors.push_stopping(at.found(ViolationKind::Invalid, found, "must be true or undefined"));
    }
}

fn check_kind(props: &Props<'_>, at: &Place<'_>, demands: Demands, errors: &mut Errors) {
    let at = at.field("type");
    if demands.types && !props.kind.is_empty() && Kind::of_name(props.kind).is_none() {
        errors.push(at.unsupported(props.kind, &Kind::ALL));
    }
    if props.kind == "null" {
        let detail = "type cannot be set to null, use nullable as an alternative";
        errors.push(at.forbidden(detail));
    }
}
