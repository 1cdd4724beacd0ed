//! The generation of an object. The server sets it before validation; the object in the answer has
//! the generation that was sent.

use serde_json::Value;

use crate::metadata::meta;
use k8s_json_internals::equality::deep_equal;

/// Sets the generation as a server does before validation, and returns the generation that was
/// sent. [`restore`] restores it, because the outcome describes the object that was sent.
pub(super) fn prepare_create(new: &mut Value) -> Option<Value> {
    let metadata = new.get_mut("metadata")?.as_object_mut()?;
    metadata.insert("generation".to_owned(), 1.into())
}

/// Sets the fields that a client cannot change, including the generation, and returns the
/// generation that was sent.
pub(super) fn prepare_update(new: &mut Value, old: &Value) -> Option<Value> {
    let is_changed = !is_equal_except_metadata(new, old);
    let metadata = new.get_mut("metadata")?;
    let sent = metadata.get("generation").cloned();
    meta::prepare_update(metadata, old.get("metadata"), is_changed);
    sent
}

/// Restores the generation that was sent.
pub(super) fn restore(new: &mut Value, sent: Option<Value>) {
    if let Some(metadata) = new.get_mut("metadata").and_then(Value::as_object_mut) {
        match sent {
            Some(sent) => drop(metadata.insert("generation".to_owned(), sent)),
            None => drop(metadata.remove("generation")),
        }
    }
}

/// Returns true if two objects have the same fields apart from metadata.
pub(super) fn is_equal_except_metadata(new: &Value, old: &Value) -> bool {
    let fields = |object: &Value| -> usize {
        let fields = object.as_object().into_iter().flatten();
        fields.filter(|(key, _)| *key != "metadata").count()
    };
    let entries = new.as_object().into_iter().flatten();
    let mut entries = entries.filter(|(key, _)| *key != "metadata");
    fields(new) == fields(old)
        && entries.all(|(key, value)| old.get(key).is_some_and(|old| deep_equal(value, old)))
}
