//! A possible state of an object before an update that changes a field.

use serde_json::{Map, Value, json};
use union_runtime::path::{FieldPath, Step};

use crate::input::place::{Place, find_mut};

/// An earlier object, which differs in one field.
pub(super) enum Earlier {
    /// The earlier object, which lacks the field.
    Without(Value),
    /// The earlier object, which has a field that is missing now.
    With(Value),
}

/// Returns the earlier object; `None` if the path does not name a field.
///
/// The earlier object is invented rather than the new object, so that the errors of the new object
/// are exactly the errors of the stored object.
pub(super) fn earlier(object: &Value, path: &FieldPath) -> Option<Earlier> {
    let mut old = object.clone();
    match Place::of(object, path)? {
        Place::There => {
            let last = path.steps().next_back()?;
            remove(find_mut(&mut old, &path.parent()?)?, last);
            Some(Earlier::Without(old))
        }
        Place::Missing { owner, mut fields } => {
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
            Some(Earlier::With(old))
        }
    }
}

fn remove(owner: &mut Value, last: Step<'_>) {
    match (owner, last) {
        (Value::Object(fields), Step::Field(name) | Step::Key(name)) => {
            fields.remove(name);
        }
        (Value::Array(elements), Step::Index(at)) if at < elements.len() => {
            elements.remove(at);
        }
        _ => {}
    }
}
