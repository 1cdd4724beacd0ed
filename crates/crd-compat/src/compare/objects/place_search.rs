//! Searches for an object that a validator accepts, with a value at a place.

use k8s_crd_validation::Violation;
use serde_json::{Value, json};
use union_json::document::SchemaPath;
use union_runtime::path::FieldPath;

use super::satisfied_rules::with_satisfied_rules;
use crate::bounds::{OBJECT_BYTES, SEARCH};
use crate::edges::placement::{field_path, with_value};
use crate::sample::json_size::json_size;
use crate::sample::search::{search, without_needless_values};
use crate::sample::small_value;
use crate::sample::small_value::small_filled_value;

/// The number of errors that an object without the wanted property has in a search: such an object
/// does not bring the search closer.
const UNWANTED_WEIGHT: usize = 8;

/// The value at the place of a search.
#[derive(Clone, Copy, Debug)]
pub enum PlaceValue<'v> {
    /// Any value. The search starts with a small value of the schema.
    Any,
    /// Any value. The search starts with this value.
    From(&'v Value),
    /// Only this value.
    Exactly(&'v Value),
}

/// Returns an object that has a value at `place` and no errors, and that a search finds from an
/// object. `validate` returns the errors of an object. The search does not validate objects over
/// [`OBJECT_BYTES`].
pub(super) fn search_at(
    object: Value,
    schema: &Value,
    place: &FieldPath,
    validate: impl Fn(&Value) -> Vec<Violation>,
) -> Option<Value> {
    let has_value = |object: &Value| place.find(object).is_some();
    let mut validate = validate_wanted(place, has_value, validate);
    let found = search(object, schema, SEARCH, &mut validate);
    found.errors.is_empty().then_some(found.object)
}

/// Returns an object without errors for which `is_wanted` returns true, and that is a change of an
/// object: the rules of its values are made true, and then a search removes the other errors. An
/// object that is not wanted has errors at `place`.
pub(super) fn repair(
    object: Value,
    schema: &Value,
    place: &FieldPath,
    is_wanted: impl Fn(&Value) -> bool,
    validate: impl Fn(&Value) -> Vec<Violation>,
) -> Option<Value> {
    let mut validate = validate_wanted(place, is_wanted, validate);
    let object = with_satisfied_rules(object, schema, &mut validate);
    let found = search(object, schema, SEARCH, &mut validate);
    found.errors.is_empty().then_some(found.object)
}

/// Returns a function that also returns errors at a place for an object that is not wanted.
fn validate_wanted(
    place: &FieldPath,
    is_wanted: impl Fn(&Value) -> bool,
    validate: impl Fn(&Value) -> Vec<Violation>,
) -> impl FnMut(&Value) -> Vec<Violation> {
    move |object| {
        if json_size(object, OBJECT_BYTES).is_none() {
            return vec![Violation::too_long(FieldPath::root(), OBJECT_BYTES)];
        }
        let mut errors = validate(object);
        if !is_wanted(object) {
            let unwanted = Violation::required(place.clone(), "");
            errors.extend(std::iter::repeat_n(unwanted, UNWANTED_WEIGHT));
        }
        errors
    }
}

/// Returns a small object without errors that has the value at a path, or `None` if the search
/// finds no such object. The object has no other value without which it is also valid.
pub fn find_object_at(
    schema: &Value,
    path: &SchemaPath,
    value: PlaceValue<'_>,
    validate: impl Fn(&Value) -> Vec<Violation>,
) -> Option<Value> {
    let root = small_root(schema);
    let first_value = match value {
        PlaceValue::Any => path
            .find(schema)
            .map(|schema| small_filled_value(schema, 0)),
        PlaceValue::From(value) | PlaceValue::Exactly(value) => Some(value.clone()),
    };
    let object = with_value(&root, schema, path, first_value.as_ref()).unwrap_or(root);
    let place = field_path(path);
    let is_wanted = |object: &Value| match (place.find(object), value) {
        (Some(found), PlaceValue::Exactly(value)) => found == value,
        (found, _) => found.is_some(),
    };
    let mut validate = validate_wanted(&place, is_wanted, validate);
    let found = search(object, schema, SEARCH, &mut validate);
    let is_valid = found.errors.is_empty();
    is_valid.then(|| without_needless_values(found.object, schema, &mut validate))
}

/// Returns an object without errors that is a change of an object, and that has a value at a path
/// for which `is_wanted` returns true. `None` if the search finds no such object. The object has no
/// other value without which it is also valid.
pub fn repair_object_at(
    object: Value,
    schema: &Value,
    path: &SchemaPath,
    is_wanted: impl Fn(&Value) -> bool,
    validate: impl Fn(&Value) -> Vec<Violation>,
) -> Option<Value> {
    let place = field_path(path);
    let is_wanted = |object: &Value| place.find(object).is_some_and(&is_wanted);
    let repaired = repair(object, schema, &place, is_wanted, &validate)?;
    let mut validate = validate_wanted(&place, is_wanted, &validate);
    Some(without_needless_values(repaired, schema, &mut validate))
}

/// Returns a small object of a schema.
pub(super) fn small_root(schema: &Value) -> Value {
    let root = small_value(schema, 0);
    if root.is_object() { root } else { json!({}) }
}
