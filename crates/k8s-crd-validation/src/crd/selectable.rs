//! The fields by which objects can be selected.

use std::collections::BTreeSet;

use serde_json::Value;

use super::paths::follow;
use crate::metadata::meta::Fields;
use crate::schema::place::Place;
use union_runtime::{Found, Violation, ViolationKind};

/// The largest number of selectable fields in a version.
const MOST: usize = 8;

/// Checks selectable fields. `alone` is the message if there is no schema.
pub(super) fn check(
    selectable: Option<&[Value]>,
    schema: Option<&Value>,
    alone: &str,
    at: &Place<'_>,
    errors: &mut Vec<Violation>,
) {
    let selectable = selectable.unwrap_or_default();
    if selectable.is_empty() {
        return;
    }
    let Some(schema) = schema else {
        let found = Found::Text(String::new());
        let at = at.field("selectableFields");
        errors.push(at.found(ViolationKind::Invalid, found, alone));
        return;
    };
    let mut known = BTreeSet::new();
    for (i, field) in selectable.iter().enumerate() {
        let path = Fields::of(Some(field)).text("jsonPath");
        let at = at.index("selectableFields", i);
        let at = at.field("jsonPath");
        if check_one(path, schema, &at, errors) && !known.insert(path) {
            let found = Found::Text(path.to_owned());
            errors.push(at.found(ViolationKind::Duplicate, found, ""));
        }
    }
    if known.len() > MOST {
        let found = Found::Printed(known.len().to_string());
        let detail = format!("must have at most {MOST} items");
        let at = at.field("selectableFields");
        errors.push(at.found(ViolationKind::TooMany, found, &detail));
    }
}

/// Checks one path. Returns true if the path leads to a field, even if the field cannot be
/// selected.
fn check_one(path: &str, schema: &Value, at: &Place<'_>, errors: &mut Vec<Violation>) -> bool {
    if path.is_empty() {
        errors.push(at.required(""));
        return false;
    }
    let invalid =
        |detail: &str| at.found(ViolationKind::Invalid, Found::Text(path.to_owned()), detail);
    let field = match follow(schema, path) {
        Ok(field) => field,
        Err(problem) => {
            errors.push(invalid(&problem.to_string()));
            return false;
        }
    };
    if field.first == "metadata" {
        errors.push(invalid("must not point to fields in metadata"));
    }
    if !["boolean", "integer", "string"].contains(&field.kind) {
        errors.push(invalid(
            "must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.",
        ));
    }
    true
}
