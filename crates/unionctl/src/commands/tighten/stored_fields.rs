//! Stored fields that a new schema drops, and fields that are read with another default.

use serde::Serialize;
use serde_json::Value;
use union_runtime::path::{FieldPath, Path, PathStep};

use crate::output::print::short_json;

/// A stored field that the new schema does not have. The next write of the object drops the field.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct DroppedField {
    field: FieldPath,
    value: Value,
}

/// A field that is not stored, and that the schemas read with different defaults.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct ChangedDefault {
    field: FieldPath,
    /// The value with the old schema; `None` if the old schema has no default.
    before: Option<Value>,
    /// The value with the new schema; `None` if the new schema has no default.
    after: Option<Value>,
}

/// The differences between an object as the old schema and as the new schema read it.
#[derive(Debug, Default)]
pub(super) struct StoredFields {
    pub(super) dropped: Vec<DroppedField>,
    pub(super) changed_defaults: Vec<ChangedDefault>,
}

/// The same value of an object: as stored, as the old schema reads it, and as the new schema reads
/// it.
#[derive(Clone, Copy)]
struct ValueVersions<'v> {
    stored: Option<&'v Value>,
    old: Option<&'v Value>,
    new: Option<&'v Value>,
}

impl StoredFields {
    /// Compares an object as two schemas read it.
    pub(super) fn compare(stored: &Value, old: &Value, new: &Value) -> Self {
        let mut fields = Self::default();
        let versions = ValueVersions {
            stored: Some(stored),
            old: Some(old),
            new: Some(new),
        };
        fields.visit(versions, &Path::ROOT);
        fields
    }

    fn visit(&mut self, versions: ValueVersions<'_>, path: &Path<'_>) {
        let ValueVersions { stored, old, new } = versions;
        match (old, new) {
            (Some(Value::Object(old_fields)), Some(Value::Object(new_fields))) => {
                let new_names = new_fields
                    .keys()
                    .filter(|name| !old_fields.contains_key(*name));
                for name in old_fields.keys().chain(new_names) {
                    let step = PathStep::Field(name);
                    self.visit(versions.child(step), &path.step(step));
                }
            }
            (Some(Value::Array(old_elements)), Some(Value::Array(new_elements)))
                if old_elements.len() == new_elements.len() =>
            {
                for index in 0..old_elements.len() {
                    let step = PathStep::Index(index);
                    self.visit(versions.child(step), &path.step(step));
                }
            }
            (old, new) if old == new => {}
            (old, new) => match stored.filter(|stored| !stored.is_null()) {
                None => self.changed_defaults.push(ChangedDefault {
                    field: path.to_field_path(),
                    before: old.cloned(),
                    after: new.cloned(),
                }),
                Some(stored) if new.is_none() => self.dropped.push(DroppedField {
                    field: path.to_field_path(),
                    value: stored.clone(),
                }),
                // Only the new schema reads the stored value.
                Some(_) => {}
            },
        }
    }
}

impl ValueVersions<'_> {
    fn child(self, step: PathStep<'_>) -> Self {
        let child = |value: Option<_>| value.and_then(|value| step.find(value));
        Self {
            stored: child(self.stored),
            old: child(self.old),
            new: child(self.new),
        }
    }
}

impl DroppedField {
    /// Returns the line for users.
    pub(super) fn line(&self) -> String {
        format!(
            "{}: {} is dropped on the next write: the new schema does not have the field",
            self.field,
            short_json(&self.value)
        )
    }
}

impl ChangedDefault {
    /// Returns the line for users.
    pub(super) fn line(&self) -> String {
        let Self {
            field,
            before,
            after,
        } = self;
        match (before, after) {
            (Some(before), Some(after)) => format!(
                "{field}: reads as {}, and will read as {}: the default changes",
                short_json(before),
                short_json(after)
            ),
            (None, Some(after)) => format!(
                "{field}: is not set, and will read as {}: the new schema has a default",
                short_json(after)
            ),
            (Some(before), None) => format!(
                "{field}: reads as {}, and will not be set: the new schema has no default",
                short_json(before)
            ),
            (None, None) => field.to_string(),
        }
    }
}
