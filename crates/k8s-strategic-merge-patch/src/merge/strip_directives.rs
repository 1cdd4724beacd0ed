//! The removal of nulls and directives from values that a patch inserts as a whole.

use serde_json::{Map, Value};

use super::directive_names::{DIRECTIVE_MARKER, is_directive};
use super::merge_target::MergeTarget;

/// The parts of a value that are removed.
#[derive(Clone, Copy)]
struct StripOptions {
    /// True if nulls in objects are removed: they would delete fields that the object does not
    /// have.
    nulls: bool,
    /// True if objects with `$patch` are removed, because they do not have a target.
    objects_with_directive: bool,
    /// True if other directives are removed, because the result is not a patch.
    directives: bool,
}

/// Returns the value that a patch inserts if the target does not have a value of the same type;
/// `None` if the patch inserts nothing.
pub(super) fn strip_inserted_value(value: &Value, target_kind: MergeTarget) -> Option<Value> {
    let options = StripOptions {
        nulls: target_kind == MergeTarget::Object,
        objects_with_directive: true,
        directives: target_kind == MergeTarget::Object,
    };
    options.strip(value)
}

/// Returns the value of a new element of a merged list.
pub(crate) fn strip_new_element(value: &Value, target_kind: MergeTarget) -> Option<Value> {
    if target_kind == MergeTarget::Object {
        strip_inserted_value(value, target_kind)
    } else {
        Some(value.clone())
    }
}

/// Returns the object that `$patch: replace` inserts. Nulls are kept.
pub(super) fn strip_replacement(
    patch: &Map<String, Value>,
    target_kind: MergeTarget,
) -> Map<String, Value> {
    let fields = patch.iter().filter(|(key, _)| *key != DIRECTIVE_MARKER);
    if target_kind == MergeTarget::Object {
        REPLACEMENT.strip_fields(fields)
    } else {
        fields
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect()
    }
}

/// Returns an element of the list that `$patch: replace` inserts.
pub(super) fn strip_replacement_element(value: &Value, target_kind: MergeTarget) -> Option<Value> {
    if target_kind == MergeTarget::Object {
        REPLACEMENT.strip(value)
    } else {
        Some(value.clone())
    }
}

const REPLACEMENT: StripOptions = StripOptions {
    nulls: false,
    objects_with_directive: true,
    directives: true,
};

impl StripOptions {
    /// Copies a value without the parts to remove. The function recurses, because documents are
    /// not deeper than the limits allow.
    fn strip(self, value: &Value) -> Option<Value> {
        match value {
            Value::Object(object) => {
                let directive = object.get(DIRECTIVE_MARKER);
                let has_directive =
                    directive.is_some_and(|directive| !(self.nulls && directive.is_null()));
                (!(self.objects_with_directive && has_directive))
                    .then(|| self.strip_fields(object).into())
            }
            Value::Array(values) => {
                let values = values.iter().filter_map(|value| self.strip(value));
                Some(Value::Array(values.collect()))
            }
            scalar => Some(scalar.clone()),
        }
    }

    fn strip_fields<'v>(
        self,
        fields: impl IntoIterator<Item = (&'v String, &'v Value)>,
    ) -> Map<String, Value> {
        let fields = fields.into_iter().filter_map(|(key, value)| {
            let is_removed =
                (self.nulls && value.is_null()) || (self.directives && is_directive(key));
            if is_removed {
                return None;
            }
            Some((key.clone(), self.strip(value)?))
        });
        fields.collect()
    }
}
