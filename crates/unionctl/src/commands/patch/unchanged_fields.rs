//! The fields that a patch must not change, such as `metadata.name`.

use std::cell::Cell;

use k8s_strategic_merge_patch::{require_key_unchanged, require_metadata_key_unchanged};
use serde_json::Value;
use union_runtime::path::FieldPath;

use crate::input::resolve_path::resolve_path;
use crate::output::print;

/// A condition on a patch.
type Condition<'f> = Box<dyn Fn(&Value) -> bool + 'f>;

/// The fields that a patch must not change.
pub(super) struct UnchangedFields<'f> {
    fields: &'f [String],
    /// The field of the condition that the patch does not meet.
    failed_field: Cell<Option<&'f str>>,
}

impl<'f> UnchangedFields<'f> {
    pub(super) const fn new(fields: &'f [String]) -> Self {
        Self {
            fields,
            failed_field: Cell::new(None),
        }
    }

    pub(super) const fn failed_field(&self) -> Option<&'f str> {
        self.failed_field.get()
    }

    /// Returns the preconditions of kubectl: the patch has no field of the root, and none of the
    /// metadata, with the name of one of the fields.
    pub(super) fn preconditions(&self) -> Vec<Condition<'_>> {
        let conditions = self.fields.iter().filter_map(|field| {
            let is_met = precondition(field)?;
            let condition = move |patch: &Value| {
                let is_met = is_met(patch);
                if !is_met {
                    self.failed_field.set(Some(field));
                }
                is_met
            };
            Some(Box::new(condition) as Condition<'_>)
        });
        conditions.collect()
    }

    /// Returns true if a field is deeper than the fields of kubectl's preconditions.
    pub(super) fn has_deep_field(&self) -> bool {
        self.deep_fields().next().is_some()
    }

    fn deep_fields(&self) -> impl Iterator<Item = &'f String> {
        let fields = self.fields.iter();
        fields.filter(|field| precondition(field).is_none())
    }

    /// Returns the path and the message of the error about the first deep field whose value in
    /// `live` the patch changes.
    pub(super) fn deep_error(&self, live: &Value, patched: &Value) -> Option<(FieldPath, String)> {
        self.deep_fields().find_map(|field| {
            let path = match resolve_path(field, live) {
                Ok(path) => path,
                Err(problem) => {
                    return Some((FieldPath::root(), format!("{problem} (--unchanged)")));
                }
            };
            let (before, after) = (path.find(live), path.find(patched));
            let message = format!(
                "the patch must not change this field (--unchanged): {} would become {}",
                shown(before),
                shown(after)
            );
            (before != after).then_some((path, message))
        })
    }
}

/// Returns the precondition of kubectl for a field of the root, or of the metadata; `None` for a
/// deeper field.
fn precondition(field: &str) -> Option<Condition<'_>> {
    let is_name = |field: &str| !field.contains(['.', '[']);
    match field.strip_prefix("metadata.") {
        Some(field) if is_name(field) => Some(Box::new(require_metadata_key_unchanged(field))),
        None if is_name(field) => Some(Box::new(require_key_unchanged(field))),
        _ => None,
    }
}

fn shown(value: Option<&Value>) -> String {
    value.map_or_else(|| "a missing field".to_owned(), print::short_json)
}
