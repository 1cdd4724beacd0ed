//! Validation of selectable fields, which clients can use in field selectors.

use std::collections::BTreeSet;

use serde_json::Value;

use super::paths::resolve;
use crate::metadata::meta::ObjectFields;
use crate::schema::crd_path::CrdPath;
use union_runtime::{BadValue, Violation, ViolationKind};

/// The largest number of selectable fields in a version, as in Kubernetes.
const MAX_SELECTABLE_FIELDS: usize = 8;

/// Checks selectable fields. `missing_schema_detail` is the message if fields are selectable, but
/// the schema is missing. `path` is the path of the version.
pub(super) fn check(
    selectable: Option<&[Value]>,
    schema: Option<&Value>,
    missing_schema_detail: &str,
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
    if json_paths.len() > MAX_SELECTABLE_FIELDS {
        let bad_value = BadValue::Formatted(json_paths.len().to_string());
        let detail = format!("must have at most {MAX_SELECTABLE_FIELDS} items");
        let path = path.field("selectableFields");
        errors.push(path.violation(ViolationKind::TooMany, bad_value, &detail));
    }
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
    let field = match resolve(schema, json_path) {
        Ok(field) => field,
        Err(error) => {
            errors.push(invalid(&error.to_string()));
            return false;
        }
    };
    if field.first_name == "metadata" {
        errors.push(invalid("must not point to fields in metadata"));
    }
    if !["boolean", "integer", "string"].contains(&field.schema_type) {
        errors.push(invalid(
            "must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.",
        ));
    }
    true
}
