//! Normalizes and validates unions of JSON objects: an admitted object is valid, and normalizing it
//! again changes no field.

#![no_main]

use libfuzzer_sys::fuzz_target;
use serde_json::{Value, json};
use union_fuzz::Source;
use union_json::Unions;
use union_runtime::{Ratchet, Settings};

fuzz_target!(|bytes: &[u8]| {
    let mut source = Source::new(bytes);
    let union = union_fuzz::union_schema(&mut source);
    let schema = if source.chance(128) {
        json!({"type": "object", "properties": {"items": {"type": "array", "items": union}, "spec": union}})
    } else {
        union
    };
    let Ok(unions) = Unions::compile(union_json::SchemaSource::Schema(&schema)) else {
        return;
    };
    let old = union_fuzz::object(&mut source, &schema);
    let mut new = old.clone();
    union_fuzz::mutate(&mut source, &mut new, &schema);
    let settings = Settings::default();

    let created = admit(&unions, new.clone(), None, &settings);
    if let Some(created) = &created {
        assert!(unions.validate(created).is_accepted(), "{created}");
    }
    if let Some(updated) = admit(&unions, new.clone(), Some(&old), &settings) {
        let report = unions.validate_update(&updated, &old, &settings);
        assert!(report.is_accepted(), "{report}");
        let strict_settings = settings.ratchet(Ratchet::Off);
        // An object without any violation can also be created.
        let report = unions.validate_update(&updated, &old, &strict_settings);
        if report.is_accepted() {
            assert!(unions.validate(&updated).is_accepted(), "{updated}");
        }
    }
    assert_partial_reading_is_equivalent(&unions, &new, &old, &settings);
    drop(unions.normalize_apply(&mut new.clone(), &new, Some(&old), &settings));
});

/// Checks that an object which is read only for normalization is changed like the whole object.
fn assert_partial_reading_is_equivalent(
    unions: &Unions,
    new: &Value,
    old: &Value,
    settings: &Settings,
) {
    let read_partial = |value: &Value| {
        let json = value.to_string();
        let result = unions.read_partial(&mut serde_json::Deserializer::from_str(&json));
        result.expect("valid JSON")
    };
    let mut whole_object = new.clone();
    let mut partial_object = read_partial(new);
    let changes = unions.normalize(&mut whole_object, Some(old), settings);
    assert_eq!(
        unions.normalize(&mut partial_object, Some(&read_partial(old)), settings),
        changes
    );
    assert_eq!(read_partial(&whole_object), partial_object);
}

/// Returns the admitted object if it is accepted. Asserts that normalizing the object again changes
/// no field.
fn admit(
    unions: &Unions,
    mut new: Value,
    old: Option<&Value>,
    settings: &Settings,
) -> Option<Value> {
    if !unions.admit(&mut new, old, settings).is_accepted() {
        return None;
    }
    let mut normalized_again = new.clone();
    let changes = unions.normalize(&mut normalized_again, old, settings);
    assert!(changes.is_empty(), "{changes:?}");
    assert_eq!(normalized_again, new);
    Some(new)
}
