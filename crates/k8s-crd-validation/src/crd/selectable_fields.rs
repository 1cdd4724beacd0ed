//! Validation of selectable fields, which clients can use in field selectors.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::metadata::meta::ObjectFields;
use crate::rules::field_path::{self, StepSyntax};
use crate::schema::crd_path::CrdPath;
use union_runtime::path::PathStep;
use union_runtime::{BadValue, Violation, ViolationKind};

/// The largest number of selectable fields in a version, as in Kubernetes.
const MAX_SELECTABLE_FIELDS: usize = 8;

/// Checks selectable fields. `missing_schema_detail` is the message if fields are selectable, but
/// the schema is missing. `limits_count` is true if the number of fields is limited. `path` is the
/// path of the version.
pub(super) fn check(
    selectable: Option<&[Value]>,
    schema: Option<&Value>,
    missing_schema_detail: &str,
    limits_count: bool,
    path: &CrdPath<'_>,
    errors: &mut Vec<Violation>,
) {
    let selectable = selectable.unwrap_or_default();
    if selectable.is_empty() {
        return;
    }
    let Some(schema) = schema else {
        let bad_value = BadValue::Quoted(String::new());
        let path = path.field("selectableFields");
        errors.push(path.violation(ViolationKind::Invalid, bad_value, missing_schema_detail));
        return;
    };
    let mut json_paths = BTreeSet::new();
    for (i, field) in selectable.iter().enumerate() {
        let json_path = ObjectFields::new(Some(field)).string("jsonPath");
        let field_path = path.index("selectableFields", i);
        let path = field_path.field("jsonPath");
        if check_path(json_path, schema, &path, errors) && !json_paths.insert(json_path) {
            let bad_value = BadValue::Quoted(json_path.to_owned());
            errors.push(path.violation(ViolationKind::Duplicate, bad_value, ""));
        }
    }
    if limits_count && json_paths.len() > MAX_SELECTABLE_FIELDS {
        let bad_value = BadValue::Formatted(json_paths.len().to_string());
        let detail = format!("must have at most {MAX_SELECTABLE_FIELDS} items");
        let path = path.field("selectableFields");
        errors.push(path.violation(ViolationKind::TooMany, bad_value, &detail));
    }
}

/// Returns true if two lists of selectable fields have the same paths in the same order.
pub(super) fn are_equal(selectable: Option<&[Value]>, other: Option<&[Value]>) -> bool {
    let json_path = |field| ObjectFields::new(Some(field)).string("jsonPath");
    let (selectable, other) = (selectable.unwrap_or_default(), other.unwrap_or_default());
    selectable
        .iter()
        .map(json_path)
        .eq(other.iter().map(json_path))
}

/// Checks one JSON path. Returns true if the path refers to a field of the schema, even if the
/// field has a type that cannot be selected or is in metadata.
fn check_path(
    json_path: &str,
    schema: &Value,
    path: &CrdPath<'_>,
    errors: &mut Vec<Violation>,
) -> bool {
    if json_path.is_empty() {
        errors.push(path.required(""));
        return false;
    }
    let invalid = |detail: &str| {
        path.violation(
            ViolationKind::Invalid,
            BadValue::Quoted(json_path.to_owned()),
            detail,
        )
    };
    let field = match field_path::resolve(schema, json_path, StepSyntax::Names) {
        Ok(field) => field,
        Err(error) => {
            errors.push(invalid(&error.to_string()));
            return false;
        }
    };
    if field.path.steps().next() == Some(PathStep::Field("metadata")) {
        errors.push(invalid("must not point to fields in metadata"));
    }
    let schema_type = field.schema.and_then(|schema| schema.get("type")?.as_str());
    if !schema_type.is_some_and(|name| ["boolean", "integer", "string"].contains(&name)) {
        errors.push(invalid(
            "must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.",
        ));
    }
    true
}
