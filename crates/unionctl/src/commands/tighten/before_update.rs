//! Constructs a possible old object for an update that changes one field.

use serde_json::{Map, Value, json};
use union_runtime::path::{FieldPath, PathStep};

use crate::input::resolve_field::{ResolvedField, find_mut};

/// A possible old object, which differs from the stored object in one field.
pub(super) enum EarlierObject {
    /// The old object lacks the field.
    FieldAbsent(Value),
    /// The old object has the field, which is missing in the stored object.
    FieldPresent(Value),
}

/// Returns an old object from which an update to the stored object changes the field `path`; `None`
/// if the path does not name a field.
///
/// The stored object is the new object of the update, so that the errors of the update are exactly
/// the errors of the stored object.
pub(super) fn earlier_object(stored_object: &Value, path: &FieldPath) -> Option<EarlierObject> {
    let mut old_object = stored_object.clone();
    match ResolvedField::resolve(stored_object, path)? {
        ResolvedField::Present => {
            let step = path.steps().next_back()?;
            remove_child(find_mut(&mut old_object, &path.parent()?)?, step);
            Some(EarlierObject::FieldAbsent(old_object))
        }
        ResolvedField::Absent { owner, mut fields } => {
            let owner = find_mut(&mut old_object, &owner)?.as_object_mut()?;
            let first_field = fields.drain(..1).next()?;
            // The value need not be valid, because a server does not validate old objects.
            let value = fields
                .into_iter()
                .rev()
                .fold(json!("before"), |value, field| {
                    Map::from_iter([(field, value)]).into()
                });
            owner.insert(first_field, value);
            Some(EarlierObject::FieldPresent(old_object))
        }
    }
}

fn remove_child(owner: &mut Value, step: PathStep<'_>) {
    match (owner, step) {
        (Value::Object(fields), PathStep::Field(name) | PathStep::Key(name)) => {
            fields.remove(name);
        }
        (Value::Array(elements), PathStep::Index(index)) if index < elements.len() => {
            elements.remove(index);
        }
        _ => {}
    }
}
