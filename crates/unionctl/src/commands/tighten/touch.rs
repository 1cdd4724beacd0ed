//! The object as it may have been before an update that touches a field.

use serde_json::{Map, Value, json};
use union_runtime::path::{FieldPath, Step};

use crate::input::place::{Place, find_mut};

/// An earlier object, which differs in one field.
pub(super) enum Earlier {
    /// The field was not there.
    Without(Value),
    /// A field was there that is not now.
    With(Value),
}

/// The earlier object; `None` if no field can be named.
///
/// It is the earlier object that is made up, and not the new one: so what is wrong with the new one is what is wrong with
/// the stored object, word for word.
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
            // Nobody looks whether an old object is valid.
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
