//! A possible state of an object before an update that changes a field.

use serde_json::{Map, Value, json};
use union_runtime::path::{FieldPath, PathStep};

use crate::input::resolve_field::{ResolvedField, find_mut};

/// An earlier object, which differs in one field.
pub(super) enum EarlierObject {
    /// The earlier object, which lacks the field.
    FieldAbsent(Value),
    /// The earlier object, which has a field that is missing now.
    FieldPresent(Value),
}

/// Returns the earlier object; `None` if the path does not name a field.
///
/// The earlier object is invented rather than the new object, so that the errors of the new object
/// are exactly the errors of the stored object.
pub(super) fn earlier_object(object: &Value, path: &FieldPath) -> Option<EarlierObject> {
    let mut old = object.clone();
    match ResolvedField::resolve(object, path)? {
        ResolvedField::Present => {
            let last = path.steps().next_back()?;
            remove(find_mut(&mut old, &path.parent()?)?, last);
            Some(EarlierObject::FieldAbsent(old))
        }
        ResolvedField::Absent { owner, mut fields } => {
            let owner = find_mut(&mut old, &owner)?.as_object_mut()?;
            let first = fields.drain(..1).next()?;
            // The earlier object may be invalid, because old objects are not validated.
            let before = fields
                .into_iter()
                .rev()
                .fold(json!("before"), |value, field| {
                    Map::from_iter([(field, value)]).into()
                });
            owner.insert(first, before);
            Some(EarlierObject::FieldPresent(old))
        }
    }
}

fn remove(owner: &mut Value, last: PathStep<'_>) {
    match (owner, last) {
        (Value::Object(fields), PathStep::Field(name) | PathStep::Key(name)) => {
            fields.remove(name);
        }
        (Value::Array(elements), PathStep::Index(at)) if at < elements.len() => {
            elements.remove(at);
        }
        _ => {}
    }
}
