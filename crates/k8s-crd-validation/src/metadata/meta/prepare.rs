//! What a server sets in metadata before it checks it.

use serde_json::Value;

/// A client cannot change what the server keeps. `is_changed` says whether anything but metadata differs: that is a new
/// generation.
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
    // Kept where the client says nothing, or whatever it says.
    for (field, is_fixed) in [
        ("uid", false),
        ("creationTimestamp", true),
        ("deletionTimestamp", true),
        ("deletionGracePeriodSeconds", false),
    ] {
        if let Some(old) = old(field)
            && (is_fixed || new.get(field).is_none_or(Value::is_null))
        {
            new.insert(field.to_owned(), old.clone());
        }
    }
}
