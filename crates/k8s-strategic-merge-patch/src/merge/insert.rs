//! What is left of a patch's value where it is put in as a whole.

use serde_json::{Map, Value};

use super::names::{PATCH, is_directive};

/// What is left out of a value.
#[derive(Clone, Copy)]
struct Without {
    /// Nulls in objects, which would remove what is not there.
    nulls: bool,
    /// Objects with `$patch`, which speak of what is not there.
    objects: bool,
    /// Other directives, which nobody would read any more.
    directives: bool,
}

/// A value where there was none, or one of another kind. `None` where nothing is to be put in.
pub(super) fn inserted(value: &Value, is_server: bool) -> Option<Value> {
    let without = Without {
        nulls: is_server,
        objects: true,
        directives: is_server,
    };
    without.copy(value)
}

/// A new element of a merged list.
pub(crate) fn element(value: &Value, is_server: bool) -> Option<Value> {
    if is_server {
        inserted(value, true)
    } else {
        Some(value.clone())
    }
}

/// What `$patch: replace` makes of an object: nulls are kept.
pub(super) fn replacement(patch: &Map<String, Value>, is_server: bool) -> Map<String, Value> {
    let beside = patch.iter().filter(|(key, _)| *key != PATCH);
    if is_server {
        REPLACED.members(beside)
    } else {
        beside
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect()
    }
}

/// What `$patch: replace` in a list makes of another element.
pub(super) fn replaced_element(value: &Value, is_server: bool) -> Option<Value> {
    if is_server {
        REPLACED.copy(value)
    } else {
        Some(value.clone())
    }
}

const REPLACED: Without = Without {
    nulls: false,
    objects: true,
    directives: true,
};

impl Without {
    /// Documents are not deeper than the limits allow, so it may recurse.
    fn copy(self, value: &Value) -> Option<Value> {
        match value {
            Value::Object(object) => {
                let directive = object.get(PATCH);
                let speaks =
                    directive.is_some_and(|directive| !(self.nulls && directive.is_null()));
                (!(self.objects && speaks)).then(|| self.members(object).into())
            }
            Value::Array(values) => {
                let values = values.iter().filter_map(|value| self.copy(value));
                Some(Value::Array(values.collect()))
            }
            scalar => Some(scalar.clone()),
        }
    }

    fn members<'v>(
        self,
        members: impl IntoIterator<Item = (&'v String, &'v Value)>,
    ) -> Map<String, Value> {
        let members = members.into_iter().filter_map(|(key, value)| {
            let is_left_out =
                (self.nulls && value.is_null()) || (self.directives && is_directive(key));
            if is_left_out {
                return None;
            }
            Some((key.clone(), self.copy(value)?))
        });
        members.collect()
    }
}
