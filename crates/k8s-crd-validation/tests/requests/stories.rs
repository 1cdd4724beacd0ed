//! KEP-4008's user stories and what its integration tests list.

use k8s_crd_validation::{ServerSettings, StatusHandling, StructuralSchema};
use serde_json::{Value, json};

/// Each class of keywords, with a value that breaks it.
#[expect(clippy::too_many_lines, reason = "it is a table")]
fn classes() -> Vec<(&'static str, Value, Value)> {
    vec![
        (
            "minimum",
            json!({"type": "integer", "minimum": 5}),
            json!(1),
        ),
        (
            "maximum",
            json!({"type": "integer", "maximum": 5}),
            json!(9),
        ),
        (
            "multipleOf",
            json!({"type": "integer", "multipleOf": 5}),
            json!(9),
        ),
        (
            "minLength",
            json!({"type": "string", "minLength": 5}),
            json!("x"),
        ),
        (
            "maxLength",
            json!({"type": "string", "maxLength": 1}),
            json!("xx"),
        ),
        (
            "pattern",
            json!({"type": "string", "pattern": "^a"}),
            json!("b"),
        ),
        ("enum", json!({"type": "string", "enum": ["a"]}), json!("b")),
        ("type", json!({"type": "integer"}), json!("b")),
        (
            "minItems",
            json!({"type": "array", "minItems": 2, "items": {"type": "string"}}),
            json!(["a"]),
        ),
        (
            "maxItems",
            json!({"type": "array", "maxItems": 1, "items": {"type": "string"}}),
            json!(["a", "b"]),
        ),
        (
            "minProperties",
            json!({"type": "object", "minProperties": 2, "additionalProperties": {"type": "string"}}),
            json!({"a": ""}),
        ),
        (
            "maxProperties",
            json!({"type": "object", "maxProperties": 1, "additionalProperties": {"type": "string"}}),
            json!({"a": "", "b": ""}),
        ),
        (
            "required",
            json!({"type": "object", "required": ["a"], "properties": {"a": {"type": "string"}}}),
            json!({}),
        ),
        (
            "not",
            json!({"type": "string", "not": {"pattern": "b"}}),
            json!("b"),
        ),
        (
            "nullable",
            json!({"type": "array", "items": {"type": "string"}}),
            json!([null]),
        ),
    ]
}

#[test]
fn every_class_of_keywords_ratchets() {
    for (name, field, value) in classes() {
        let schema = crate::schema(
            json!({"type": "object", "properties": {"f": field, "n": {"type": "integer"}}}),
        );
        let old = json!({"spec": {"f": value, "n": 1}});
        let elsewhere = crate::update(&schema, &old, &json!({"spec": {"f": value, "n": 2}}));
        assert_eq!(crate::errors(&elsewhere), Vec::<String>::new(), "{name}");
        assert!(!elsewhere.tolerated().is_empty(), "{name}");
        let created = schema.create(&mut crate::resource(&old), &ServerSettings::default());
        assert!(!created.is_accepted(), "{name}");
        let added = crate::update(&schema, &json!({"spec": {"n": 1}}), &old);
        assert!(!added.is_accepted(), "{name}");
    }
}

#[test]
fn a_tightened_schema_off_on_and_off_again() {
    let schema = |spec: Value| {
        StructuralSchema::compile(&json!({"type": "object", "properties": {"spec": spec}})).unwrap()
    };
    let loose = schema(
        json!({"type": "object", "properties": {"a": {"type": "string"}, "n": {"type": "integer"}}}),
    );
    let tight = schema(
        json!({"type": "object", "properties": {"a": {"type": "string", "maxLength": 1}, "n": {"type": "integer"}}}),
    );
    let on = ServerSettings::default();
    let off = ServerSettings::default().ratchet(false);
    let mut stored = json!({"spec": {"a": "long", "n": 1}});
    assert!(loose.create(&mut stored, &on).is_accepted());
    for (settings, is_accepted) in [(&off, false), (&on, true), (&off, false)] {
        let mut new = json!({"spec": {"a": "long", "n": 2}});
        assert_eq!(
            tight.update(&mut new, &stored, settings).is_accepted(),
            is_accepted
        );
    }
}

#[test]
fn the_status_of_an_invalid_object_can_be_updated() {
    let schema = StructuralSchema::compiler()
        .status(StatusHandling::Subresource)
        .schema(&json!({"type": "object", "properties": {
            "spec": {"type": "object", "required": ["b"], "properties": {"b": {"type": "string"}}},
            "status": {"type": "object", "properties": {"n": {"type": "integer"}}},
        }}))
        .unwrap();
    let old = json!({"spec": {}});
    let outcome = schema.update_status(
        &mut json!({"status": {"n": 1}}),
        &old,
        &ServerSettings::default(),
    );
    assert!(outcome.is_accepted(), "{outcome:?}");
}

#[test]
fn the_compiled_schema_is_all_that_is_kept() {
    // Ratcheting is a setting of a request, so both values use the same compiled schema.
    let schema = crate::schema(
        json!({"type": "object", "properties": {"a": {"type": "string", "minLength": 3}}}),
    );
    let before = format!("{schema:?}");
    for on in [true, false] {
        let settings = ServerSettings::default().ratchet(on);
        let _ = schema.update(
            &mut json!({"spec": {"a": "x"}}),
            &json!({"spec": {"a": "x"}}),
            &settings,
        );
    }
    assert_eq!(format!("{schema:?}"), before);
    println!(
        "the compiled schema, printed: {} bytes, with ratcheting on and off",
        before.len()
    );
}

/// Example of the KEP: a string gets a minimum length, and a client applies another field.
#[test]
fn an_apply_of_another_field_is_accepted() {
    let schema = crate::schema(json!({"type": "object", "properties": {
        "myField": {"type": "string", "minLength": 2}, "myOtherField": {"type": "string"},
    }}));
    let stored = json!({"spec": {"myField": ""}});
    for (field, value, is_accepted) in [
        ("myOtherField", "newly added", true),
        ("myField", "x", false),
        ("myField", "long", true),
    ] {
        // The server merges what was applied into the stored object.
        let mut merged = stored.clone();
        merged["spec"][field] = json!(value);
        let outcome = crate::update(&schema, &stored, &merged);
        assert_eq!(outcome.is_accepted(), is_accepted, "{field}: {outcome:?}");
    }
}
