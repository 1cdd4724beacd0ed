//! The metadata that a server sets before validation.

use serde_json::Value;

/// Sets the fields that a client cannot change. If `is_changed`, fields other than metadata differ,
/// and the generation is incremented.
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
    // A missing field is restored, and a fixed field is restored even if the client has set it.
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
