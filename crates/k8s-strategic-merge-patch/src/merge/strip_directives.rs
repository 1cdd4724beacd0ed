//! The parts of a patch's value that are inserted as a whole.

use serde_json::{Map, Value};

use super::directive_names::{DIRECTIVE_MARKER, is_directive};

/// The parts of a value that are left out.
#[derive(Clone, Copy)]
struct StripOptions {
    /// True for nulls in objects, which would remove missing fields.
    nulls: bool,
    /// True for objects with `$patch`, whose target is missing.
    objects: bool,
    /// True for other directives, which no later step would read.
    directives: bool,
}

/// Returns the value to insert for a missing value or a value of another kind; `None` if nothing is
/// to be inserted.
pub(super) fn strip_inserted_value(value: &Value, is_server: bool) -> Option<Value> {
    let without = StripOptions {
        nulls: is_server,
        objects: true,
        directives: is_server,
    };
    without.strip(value)
}

/// Returns the value of a new element of a merged list.
pub(crate) fn strip_new_element(value: &Value, is_server: bool) -> Option<Value> {
    if is_server {
        strip_inserted_value(value, true)
    } else {
        Some(value.clone())
    }
}

/// Returns the object that replaces another by `$patch: replace`: nulls are kept.
pub(super) fn strip_replacement(patch: &Map<String, Value>, is_server: bool) -> Map<String, Value> {
    let beside = patch.iter().filter(|(key, _)| *key != DIRECTIVE_MARKER);
    if is_server {
        REPLACEMENT.strip_members(beside)
    } else {
        beside
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect()
    }
}

/// Returns an element of the list that replaces another by `$patch: replace`.
pub(super) fn strip_replacement_element(value: &Value, is_server: bool) -> Option<Value> {
    if is_server {
        REPLACEMENT.strip(value)
    } else {
        Some(value.clone())
    }
}

const REPLACEMENT: StripOptions = StripOptions {
    nulls: false,
    objects: true,
    directives: true,
};

impl StripOptions {
    /// Copies a value without the parts to leave out. The function recurses, because documents are
    /// not deeper than the limits allow.
    fn strip(self, value: &Value) -> Option<Value> {
        match value {
            Value::Object(object) => {
                let directive = object.get(DIRECTIVE_MARKER);
                let speaks =
                    directive.is_some_and(|directive| !(self.nulls && directive.is_null()));
                (!(self.objects && speaks)).then(|| self.strip_members(object).into())
            }
            Value::Array(values) => {
                let values = values.iter().filter_map(|value| self.strip(value));
                Some(Value::Array(values.collect()))
            }
            scalar => Some(scalar.clone()),
        }
    }

    fn strip_members<'v>(
        self,
        members: impl IntoIterator<Item = (&'v String, &'v Value)>,
    ) -> Map<String, Value> {
        let members = members.into_iter().filter_map(|(key, value)| {
            let is_left_out =
                (self.nulls && value.is_null()) || (self.directives && is_directive(key));
            if is_left_out {
                return None;
            }
            Some((key.clone(), self.strip(value)?))
        });
        members.collect()
    }
}
