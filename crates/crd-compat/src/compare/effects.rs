//! The effects of the differences of two schemas on an object.

use std::collections::BTreeMap;

use k8s_crd_validation::is_rules_not_checked;
use serde_json::Value;
use union_runtime::path::{FieldPath, PathStep};

use crate::judge::answer::{JudgedError, WriteAnswer};
use crate::judge::attribution::DifferenceIndex;
use crate::judge::cause_score::{Side, schema_path};
use crate::report::wording::Effect;
use crate::schema::difference::Difference;
use crate::schema::keyword::Keyword;

/// The answers of the old and the new version to one request.
pub(crate) type Answers = [WriteAnswer; 2];

/// An effect, with the index of the difference that causes the effect.
pub(crate) type CausedEffect = (usize, Effect);

/// The weakness of a proof. An object proves an effect better than another object if the weakness
/// of its proof is lower.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Weakness {
    /// True if the versions store the same values except for nulls.
    pub(crate) only_null: bool,
    /// The number of errors, or of different stored values, that have another cause.
    pub(crate) other_causes: usize,
}

/// The differences of two versions, to find the causes of answers.
#[derive(Clone, Copy)]
pub(crate) struct Causes<'a> {
    pub(crate) merged: &'a Value,
    pub(crate) index: &'a DifferenceIndex,
    /// The difference for which the object was made.
    pub(crate) fallback: usize,
}

impl Causes<'_> {
    /// Returns the index of the difference that causes an error of a version; `None` for the error
    /// that rules were not checked, which only repeats that there are other errors.
    pub(crate) fn of_error(&self, error: &JudgedError, side: Side) -> Option<usize> {
        let cause = || {
            self.index
                .cause_of_error(error, side, self.merged, self.fallback)
        };
        (!is_rules_not_checked(&error.violation)).then(cause)
    }

    /// Returns the effects that the answers to a request have, each with its cause and with the
    /// weakness of the proof.
    pub(crate) fn effects_of(&self, [old, new]: &Answers) -> BTreeMap<CausedEffect, Weakness> {
        let (refusing, side, effect) = match (&old.stored, &new.stored) {
            (Some(old), Some(new)) => return self.stored_effects(old, new),
            (Some(_), None) => (new, Side::New, Effect::Refused),
            (None, Some(_)) => (old, Side::Old, Effect::Accepted),
            (None, None) => return BTreeMap::new(),
        };
        let errors = refusing.errors.iter();
        let causes = errors.filter_map(|error| self.of_error(error, side));
        let effects: Vec<_> = causes.map(|cause| ((cause, effect), false)).collect();
        with_weakness(&effects)
    }

    /// Returns the index of the difference for which a version stores another value at a path.
    fn of_stored(&self, path: &FieldPath) -> usize {
        let path = schema_path(self.merged, path.steps());
        self.index.cause_of_stored(&path, self.fallback)
    }

    /// Returns true if a difference drops or changes a value of a stored object, and not only
    /// another difference.
    pub(crate) fn loses_values(&self, number: usize, [old, new]: &[Value; 2]) -> bool {
        let mut paths = Vec::new();
        add_different_paths(old, new, &FieldPath::root(), &mut paths);
        let mut paths = paths.iter().filter(|path| self.of_stored(path) == number);
        paths.any(|path| match (path.find(old), path.find(new)) {
            (Some(old), Some(new)) => loses_values(old, new),
            (old, _) => old.is_some_and(|value| !value.is_null()),
        })
    }

    fn stored_effects(&self, old: &Value, new: &Value) -> BTreeMap<CausedEffect, Weakness> {
        let mut paths = Vec::new();
        add_different_paths(old, new, &FieldPath::root(), &mut paths);
        let causes = paths.iter().map(|path| {
            let cause = self.of_stored(path);
            let mut values = [old, new].into_iter().filter_map(|value| path.find(value));
            ((cause, Effect::Stored), values.all(Value::is_null))
        });
        with_weakness(&causes.collect::<Vec<_>>())
    }
}

/// Returns each effect of an object with the weakness of its proof. `effects` has an entry for each
/// error or stored value; the second part is true for a value that is null or absent.
fn with_weakness(effects: &[(CausedEffect, bool)]) -> BTreeMap<CausedEffect, Weakness> {
    let mut weaknesses = BTreeMap::new();
    for (effect, is_null) in effects {
        let weakness = weaknesses.entry(*effect).or_insert(Weakness {
            only_null: true,
            other_causes: effects.len(),
        });
        weakness.only_null &= is_null;
        weakness.other_causes = weakness.other_causes.saturating_sub(1);
    }
    weaknesses
}

/// Returns true if a version refuses a value in a field that the other version drops. The other
/// version accepts the value only because it drops the field.
pub(crate) fn is_of_dropped_field(difference: &Difference, effect: Effect) -> bool {
    difference.keyword == Keyword::Properties
        && !difference.keeps_unknown
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
fn loses_values(old: &Value, new: &Value) -> bool {
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
