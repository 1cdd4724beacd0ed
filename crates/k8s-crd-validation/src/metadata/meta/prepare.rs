//! The metadata fields of an update that an API server sets before validation.

use serde_json::Value;

/// Sets the metadata fields that a client cannot change to the values of the old object.
/// `is_changed` is true if fields other than metadata differ; the generation is then incremented.
pub(crate) fn prepare_update(new: &mut Value, old: Option<&Value>, is_changed: bool) {
    let Some(new) = new.as_object_mut() else {
        return;
    };
    let old = |field: &str| {
        old.and_then(|old| old.get(field))
            .filter(|old| !old.is_null())
    };
    let generation = old("generation")
        .and_then(Value::as_i64)
        .unwrap_or_default();
    match generation.wrapping_add(i64::from(is_changed)) {
        0 => drop(new.remove("generation")),
        generation => drop(new.insert("generation".to_owned(), generation.into())),
    }
    // A field that the client omits is restored. The fields that the server sets are restored even
    // if the client sends another value.
    for (field, is_set_by_server) in [
        ("namespace", false),
        ("uid", false),
        ("creationTimestamp", true),
        ("deletionTimestamp", true),
        ("deletionGracePeriodSeconds", false),
    ] {
        if let Some(old) = old(field)
            && (is_set_by_server || new.get(field).is_none_or(Value::is_null))
        {
            new.insert(field.to_owned(), old.clone());
        }
    }
}
