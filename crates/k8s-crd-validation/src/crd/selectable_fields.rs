//! The fields by which objects can be selected.

use std::collections::BTreeSet;

use serde_json::Value;

use super::paths::resolve;
use crate::metadata::meta::Fields;
use crate::schema::crd_path::CrdPath;
use union_runtime::{BadValue, Violation, ViolationKind};

/// The largest number of selectable fields in a version.
const MAX_SELECTABLE_FIELDS: usize = 8;

/// Checks selectable fields. `alone` is the message if there is no schema.
pub(super) fn check(
    selectable: Option<&[Value]>,
    schema: Option<&Value>,
    alone: &str,
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
        errors.push(at.violation(ViolationKind::Invalid, found, alone));
        return;
    };
    let mut known = BTreeSet::new();
    for (i, field) in selectable.iter().enumerate() {
        let path = Fields::new(Some(field)).string("jsonPath");
        let at = at.index("selectableFields", i);
        let at = at.field("jsonPath");
        if check_one(path, schema, &at, errors) && !known.insert(path) {
            let found = BadValue::Quoted(path.to_owned());
            errors.push(at.violation(ViolationKind::Duplicate, found, ""));
        }
    }
    if known.len() > MAX_SELECTABLE_FIELDS {
        let found = BadValue::Formatted(known.len().to_string());
        let detail = format!("must have at most {MAX_SELECTABLE_FIELDS} items");
        let at = at.field("selectableFields");
        errors.push(at.violation(ViolationKind::TooMany, found, &detail));
    }
}

/// Checks one path. Returns true if the path leads to a field, even if the field cannot be
/// selected.
fn check_one(path: &str, schema: &Value, at: &CrdPath<'_>, errors: &mut Vec<Violation>) -> bool {
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
        Err(problem) => {
            errors.push(invalid(&problem.to_string()));
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
