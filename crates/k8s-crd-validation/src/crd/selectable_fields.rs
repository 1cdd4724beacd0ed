//! Validation of selectable fields, which clients can use in field selectors.

use std::collections::BTreeSet;

use serde_json::Value;

use super::paths::resolve;
use crate::metadata::meta::Fields;
use crate::schema::crd_path::CrdPath;
use union_runtime::{BadValue, Violation, ViolationKind};

/// The largest number of selectable fields in a version.
const MAX_SELECTABLE_FIELDS: usize = 8;

/// Checks selectable fields. `missing_schema` is the message if fields are selectable, but the
/// schema is missing.
pub(super) fn check(
    selectable: Option<&[Value]>,
    schema: Option<&Value>,
    missing_schema: &str,
    at: &CrdPath<'_>,
    errors: &mut Vec<Violation>,
) {
    let selectable = selectable.unwrap_or_default();
    if selectable.is_empty() {
        return;
    }
    let Some(schema) = schema else {
        let found = BadValue::Quoted(String::new());
        let at = at.field("selectableFields");
        errors.push(at.violation(ViolationKind::Invalid, found, missing_schema));
        return;
    };
    let mut paths = BTreeSet::new();
    for (i, field) in selectable.iter().enumerate() {
        let path = Fields::new(Some(field)).string("jsonPath");
        let at = at.index("selectableFields", i);
        let at = at.field("jsonPath");
        if check_path(path, schema, &at, errors) && !paths.insert(path) {
            let found = BadValue::Quoted(path.to_owned());
            errors.push(at.violation(ViolationKind::Duplicate, found, ""));
        }
    }
    if paths.len() > MAX_SELECTABLE_FIELDS {
        let found = BadValue::Formatted(paths.len().to_string());
        let detail = format!("must have at most {MAX_SELECTABLE_FIELDS} items");
        let at = at.field("selectableFields");
        errors.push(at.violation(ViolationKind::TooMany, found, &detail));
    }
}

/// Checks one path. Returns true if the path refers to a field of the schema, even if fields of
/// that type or in metadata cannot be selected.
fn check_path(path: &str, schema: &Value, at: &CrdPath<'_>, errors: &mut Vec<Violation>) -> bool {
    if path.is_empty() {
        errors.push(at.required(""));
        return false;
    }
    let invalid = |detail: &str| {
        at.violation(
            ViolationKind::Invalid,
            BadValue::Quoted(path.to_owned()),
            detail,
        )
    };
    let field = match resolve(schema, path) {
        Ok(field) => field,
        Err(error) => {
            errors.push(invalid(&error.to_string()));
            return false;
        }
    };
    if field.first == "metadata" {
        errors.push(invalid("must not point to fields in metadata"));
    }
    if !["boolean", "integer", "string"].contains(&field.schema_type) {
        errors.push(invalid(
            "must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.",
        ));
    }
    true
}
