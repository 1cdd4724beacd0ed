//! The effects of the differences of two schemas on an object.

use std::collections::BTreeSet;

use k8s_crd_validation::is_rules_not_checked;
use serde_json::Value;
use union_runtime::path::{FieldPath, PathStep};

use crate::judge::answer::CreateAnswer;
use crate::judge::attribution::DifferenceIndex;
use crate::judge::cause_score::{Side, schema_path};
use crate::report::wording::Effect;
use crate::schema::difference::Difference;
use crate::schema::keyword::Keyword;

/// The answers of the old and the new version to one request.
pub(crate) type Answers = [CreateAnswer; 2];

/// Returns the effects that an object has, each with the index of the difference that causes it.
/// `fallback` is the difference for which the object was made.
pub(crate) fn effects_of(
    [old, new]: &Answers,
    merged: &Value,
    index: &DifferenceIndex,
    fallback: usize,
) -> Vec<(usize, Effect)> {
    let (refusing, side, effect) = match (&old.stored, &new.stored) {
        (Some(old), Some(new)) => {
            let mut paths = Vec::new();
            add_different_paths(old, new, &FieldPath::root(), &mut paths);
            let causes = paths.iter().map(|path| {
                let path = schema_path(merged, path.steps());
                (index.cause_of_stored(&path, fallback), Effect::Stored)
            });
            return causes.collect::<BTreeSet<_>>().into_iter().collect();
        }
        (Some(_), None) => (new, Side::New, Effect::Refused),
        (None, Some(_)) => (old, Side::Old, Effect::Accepted),
        (None, None) => return Vec::new(),
    };
    let errors = refusing.errors.iter();
    let errors = errors.filter(|error| !is_rules_not_checked(&error.violation));
    let mut effects: Vec<(usize, Effect)> = errors
        .map(|error| (index.cause_of_error(error, side, merged, fallback), effect))
        .collect();
    effects.sort_unstable();
    effects.dedup();
    effects
}

/// Returns true if a version refuses a value in a field that the other version does not know. The
/// other version accepts the value only because it drops the field.
pub(crate) fn is_of_unknown_field(difference: &Difference, effect: Effect) -> bool {
    difference.keyword == Keyword::Properties
        && match effect {
            Effect::Refused => difference.old.is_none(),
            Effect::Accepted => difference.new.is_none(),
            Effect::Stored => false,
        }
}

/// The maximum number of values in an object for which the causes of a difference are found.
const DIFFERENT_PATHS: usize = 64;

/// Adds the paths of the values that differ.
fn add_different_paths(old: &Value, new: &Value, path: &FieldPath, paths: &mut Vec<FieldPath>) {
    if old == new || paths.len() >= DIFFERENT_PATHS {
        return;
    }
    match (old, new) {
        (Value::Object(old_fields), Value::Object(new_fields)) => {
            let only_new = new_fields
                .keys()
                .filter(|name| !old_fields.contains_key(*name));
            for name in old_fields.keys().chain(only_new) {
                let path = path.clone().step(PathStep::Field(name));
                match (old_fields.get(name), new_fields.get(name)) {
                    (Some(old), Some(new)) => add_different_paths(old, new, &path, paths),
                    _ => paths.push(path),
                }
            }
        }
        (Value::Array(old_items), Value::Array(new_items))
            if old_items.len() == new_items.len() =>
        {
            for (index, (old, new)) in old_items.iter().zip(new_items).enumerate() {
                let path = path.clone().step(PathStep::Index(index));
                add_different_paths(old, new, &path, paths);
            }
        }
        _ => paths.push(path.clone()),
    }
}

/// Returns true if the new version stores less of an object, or another value.
pub(crate) fn loses_values(old: &Value, new: &Value) -> bool {
    match (old, new) {
        (Value::Object(old), Value::Object(new)) => {
            old.iter().any(|(name, value)| match new.get(name) {
                Some(new_value) => loses_values(value, new_value),
                None => !value.is_null(),
            })
        }
        (Value::Array(old), Value::Array(new)) => {
            old.len() != new.len() || old.iter().zip(new).any(|(old, new)| loses_values(old, new))
        }
        (old, new) => !old.is_null() && old != new,
    }
}
