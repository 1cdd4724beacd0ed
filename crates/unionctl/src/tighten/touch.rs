//! The object as it may have been before an update that touches a field.

use serde_json::{Value, json};

use crate::place::{Place, Step, get_mut};

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
pub(super) fn earlier(object: &Value, field: &str) -> Option<Earlier> {
    let mut old = object.clone();
    match Place::of(object, field)? {
        Place::There(steps) => {
            let (last, owner) = steps.split_last()?;
            remove(get_mut(&mut old, owner)?, last);
            Some(Earlier::Without(old))
        }
        Place::Missing(owner, key) => {
            let owner = get_mut(&mut old, &owner)?.as_object_mut()?;
            // Nobody looks whether an old object is valid.
            owner.insert(key.to_owned(), json!("before"));
            Some(Earlier::With(old))
        }
    }
}

fn remove(owner: &mut Value, last: &Step) {
    match (owner, last) {
        (Value::Object(fields), Step::Key(key)) => {
            fields.remove(key);
        }
        (Value::Array(elements), Step::Index(at)) if *at < elements.len() => {
            elements.remove(*at);
        }
        _ => {}
    }
}
