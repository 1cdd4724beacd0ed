//! The generation of an object. A server sets the generation before validation. Reports describe
//! the object as the client sent it, so the sent generation is restored after validation.

use serde_json::Value;

use crate::metadata::meta;
use k8s_json_internals::equality::deep_equal;

/// Sets the generation as a server does before validation, and returns the generation that was
/// sent.
pub(super) fn prepare_create(new: &mut Value) -> Option<Value> {
    let metadata = new.get_mut("metadata")?.as_object_mut()?;
    metadata.insert("generation".to_owned(), 1.into())
}

/// Sets the fields that a client cannot change, including the generation, and returns the
/// generation that was sent.
pub(super) fn prepare_update(new: &mut Value, old: &Value) -> Option<Value> {
    let is_changed = !is_equal_except_metadata(new, old);
    let metadata = new.get_mut("metadata")?;
    let sent_generation = metadata.get("generation").cloned();
    meta::prepare_update(metadata, old.get("metadata"), is_changed);
    sent_generation
}

/// Restores the generation that was sent.
pub(super) fn restore_generation(new: &mut Value, sent_generation: Option<Value>) {
    if let Some(metadata) = new.get_mut("metadata").and_then(Value::as_object_mut) {
        match sent_generation {
            Some(generation) => drop(metadata.insert("generation".to_owned(), generation)),
            None => drop(metadata.remove("generation")),
        }
    }
}

/// Returns true if two objects have the same fields apart from metadata.
pub(super) fn is_equal_except_metadata(new: &Value, old: &Value) -> bool {
    let count_fields = |object: &Value| -> usize {
        let fields = object.as_object().into_iter().flatten();
        fields.filter(|(key, _)| *key != "metadata").count()
    };
    let new_fields = new.as_object().into_iter().flatten();
    let mut new_fields = new_fields.filter(|(key, _)| *key != "metadata");
    count_fields(new) == count_fields(old)
        && new_fields.all(|(key, value)| old.get(key).is_some_and(|old| deep_equal(value, old)))
}
