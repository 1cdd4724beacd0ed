//! The checks of keywords that apply to every schema inside a CRD: unsupported keywords and invalid
//! values.

use super::errors::{LintError, LintErrors, Severity};
use super::validation_options::ValidationOptions;
use crate::schema::SchemaType;
use crate::schema::crd_path::CrdPath;
use crate::schema::raw::keywords::{Items, Keywords};
use k8s_cel::pattern::PatternSet;
use serde_json::{Map, Value};
use union_runtime::path::{FieldPath, PathStep};
use union_runtime::{BadValue, ViolationKind};

const PATTERN: &str = "pattern";

/// The keywords that this crate does not support, but that a server validates in a schema that is
/// not structural.
const UNSUPPORTED_KEYWORDS: [&str; 5] = [
    "$ref",
    "additionalItems",
    "dependencies",
    "items",
    "patternProperties",
];

/// Returns true for the error of a pattern that does not compile.
pub(super) fn is_pattern_error(error: &LintError) -> bool {
    error.severity == Severity::Recoverable && last_keyword(error.violation.path()) == Some(PATTERN)
}

/// Returns true if the error at a path is an error of a keyword in `UNSUPPORTED_KEYWORDS`.
pub(super) fn is_unsupported_keyword_error(path: &FieldPath) -> bool {
    last_keyword(path).is_some_and(|keyword| UNSUPPORTED_KEYWORDS.contains(&keyword))
}

/// Returns true for an error of `$schema`, which has the path of the whole schema, `root`.
pub(super) fn is_dollar_schema_error(error: &LintError, root: &FieldPath) -> bool {
    error.severity == Severity::NotConvertible && error.violation.path() == root
}

/// Returns true if a path leads into a schema of `definitions` or `dependencies`.
pub(super) fn is_inside_definitions_or_dependencies(path: &FieldPath) -> bool {
    let mut outer_steps = path.steps().rev().skip(1);
    outer_steps.any(|step| matches!(step, PathStep::Field("definitions" | "dependencies")))
}

/// Returns the keyword at the end of the path of an error. In paths, keywords are fields, and names
/// of properties are keys.
fn last_keyword(path: &FieldPath) -> Option<&str> {
    match path.steps().next_back()? {
        PathStep::Field(keyword) => Some(keyword),
        PathStep::Key(_) | PathStep::Index(_) => None,
    }
}

/// Checks the keywords of a schema. `root` is the path of the whole schema.
pub(super) fn check(
    props: &Keywords<'_>,
    path: &CrdPath<'_>,
    root: &FieldPath,
    options: ValidationOptions,
    patterns: &mut PatternSet,
    errors: &mut LintErrors,
) {
    let is_set = |value: &str| !value.is_empty();
    let has_entries = |map: Option<&Map<String, Value>>| map.is_some_and(|map| !map.is_empty());
    // The keyword, true if the keyword is present, and true if the keyword prevents the conversion
    // to a structural schema. Empty values of some keywords do not prevent the conversion.
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
    for (keyword, is_present, prevents_conversion) in unsupported {
        if is_present {
            let severity = if prevents_conversion {
                Severity::NotConvertible
            } else {
                Severity::Recoverable
            };
            let detail = format!("{keyword} is not supported");
            errors.push_with_severity(severity, path.field(keyword).forbidden(&detail));
        }
    }
    if is_set(props.schema) {
        let found = BadValue::Quoted(String::new());
        let detail = "OpenAPIV3Schema 'schema' is not supported";
        let path = CrdPath::root(root);
        errors.push_not_convertible(path.violation(ViolationKind::Invalid, found, detail));
    }
    check_values(props, path, options, errors);
    if !props.pattern.is_empty()
        && let Err(problem) = patterns.reserve(props.pattern)
    {
        let found = BadValue::Quoted(props.pattern.to_owned());
        let path = path.field(PATTERN);
        errors.push(path.violation(ViolationKind::Invalid, found, &problem.to_string()));
    }
}

/// Checks the values of supported keywords.
fn check_values(
    props: &Keywords<'_>,
    path: &CrdPath<'_>,
    options: ValidationOptions,
    errors: &mut LintErrors,
) {
    if props.unique_items {
        let detail =
            "uniqueItems cannot be set to true since the runtime complexity becomes quadratic";
        errors.push(path.field("uniqueItems").forbidden(detail));
    }
    // An API server treats an empty list as absent.
    if let Some(Items::Array([_, ..])) = props.items {
        let detail = "items must be a schema object and not an array";
        errors.push_not_convertible(path.field("items").forbidden(detail));
    }
    check_type(props, path, options, errors);
    if props
        .properties
        .is_some_and(|properties| !properties.is_empty())
        && props
            .additional_properties
            .is_some_and(|schema| schema.as_bool() != Some(true))
    {
        let detail = "additionalProperties and properties are mutual exclusive";
        errors.push(path.field("additionalProperties").forbidden(detail));
    }
    if props.preserve_unknown_fields == Some(false) {
        let path = path.field("x-kubernetes-preserve-unknown-fields");
        let found = BadValue::Formatted("false".to_owned());
        errors.push_not_convertible(path.violation(
            ViolationKind::Invalid,
            found,
            "must be true or undefined",
        ));
    }
}

fn check_type(
    props: &Keywords<'_>,
    path: &CrdPath<'_>,
    options: ValidationOptions,
    errors: &mut LintErrors,
) {
    let path = path.field("type");
    if options.types
        && !props.schema_type.is_empty()
        && SchemaType::from_name(props.schema_type).is_none()
    {
        errors.push(path.not_supported(props.schema_type, &SchemaType::NAMES));
    }
    if props.schema_type == "null" {
        let detail = "type cannot be set to null, use nullable as an alternative";
        errors.push(path.forbidden(detail));
    }
}
