//! Tests of the user stories of KEP-4008, and of the cases that its integration tests list.

use k8s_crd_validation::{ServerSettings, StatusHandling, StructuralSchema};
use serde_json::{Value, json};

/// Returns the name, a schema and an invalid value for each class of keywords.
#[expect(clippy::too_many_lines, reason = "it is a table")]
fn keyword_cases() -> Vec<(&'static str, Value, Value)> {
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
fn errors_of_every_class_of_keywords_are_tolerated_in_unchanged_values() {
    for (name, field_schema, value) in keyword_cases() {
        let schema = crate::schema(
            json!({"type": "object", "properties": {"f": field_schema, "n": {"type": "integer"}}}),
        );
        let old = json!({"spec": {"f": value, "n": 1}});
        let report_of_other_change =
            crate::update(&schema, &old, &json!({"spec": {"f": value, "n": 2}}));
        assert_eq!(
            crate::errors(&report_of_other_change),
            Vec::<String>::new(),
            "{name}"
        );
        assert!(!report_of_other_change.tolerated().is_empty(), "{name}");
        let create_report = schema.create(&mut crate::resource(&old), &ServerSettings::default());
        assert!(!create_report.is_accepted(), "{name}");
        let report_of_added_field = crate::update(&schema, &json!({"spec": {"n": 1}}), &old);
        assert!(!report_of_added_field.is_accepted(), "{name}");
    }
}

#[test]
fn ratcheting_can_be_switched_off_on_and_off_again() {
    let compile = |spec: Value| {
        StructuralSchema::compile(&json!({"type": "object", "properties": {"spec": spec}})).unwrap()
    };
    let loose_schema = compile(
        json!({"type": "object", "properties": {"a": {"type": "string"}, "n": {"type": "integer"}}}),
    );
    let tight_schema = compile(
        json!({"type": "object", "properties": {"a": {"type": "string", "maxLength": 1}, "n": {"type": "integer"}}}),
    );
    let ratcheting_on = ServerSettings::default();
    let ratcheting_off = ServerSettings::default().ratchet(false);
    let mut stored = json!({"spec": {"a": "long", "n": 1}});
    assert!(
        loose_schema
            .create(&mut stored, &ratcheting_on)
            .is_accepted()
    );
    for (settings, is_accepted) in [
        (&ratcheting_off, false),
        (&ratcheting_on, true),
        (&ratcheting_off, false),
    ] {
        let mut new = json!({"spec": {"a": "long", "n": 2}});
        assert_eq!(
            tight_schema
                .update(&mut new, &stored, settings)
                .is_accepted(),
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
    let report = schema.update_status(
        &mut json!({"status": {"n": 1}}),
        &old,
        &ServerSettings::default(),
    );
    assert!(report.is_accepted(), "{report:?}");
}

#[test]
fn requests_do_not_change_the_compiled_schema() {
    // Ratcheting is a setting of a request, so both values use the same compiled schema.
    let schema = crate::schema(
        json!({"type": "object", "properties": {"a": {"type": "string", "minLength": 3}}}),
    );
    let printed_schema = format!("{schema:?}");
    for is_on in [true, false] {
        let settings = ServerSettings::default().ratchet(is_on);
        let _ = schema.update(
            &mut json!({"spec": {"a": "x"}}),
            &json!({"spec": {"a": "x"}}),
            &settings,
        );
    }
    assert_eq!(format!("{schema:?}"), printed_schema);
    println!(
        "the compiled schema, printed: {} bytes, with ratcheting on and off",
        printed_schema.len()
    );
}

/// Example of the KEP: a string gets a minimum length, and a client applies another field.
#[test]
fn an_apply_may_keep_an_invalid_field_that_it_does_not_change() {
    let schema = crate::schema(json!({"type": "object", "properties": {
        "myField": {"type": "string", "minLength": 2}, "myOtherField": {"type": "string"},
    }}));
    let stored = json!({"spec": {"myField": ""}});
    for (field, value, is_accepted) in [
        ("myOtherField", "newly added", true),
        ("myField", "x", false),
        ("myField", "long", true),
    ] {
        // The server merges the applied field into the stored object.
        let mut merged = stored.clone();
        merged["spec"][field] = json!(value);
        let report = crate::update(&schema, &stored, &merged);
        assert_eq!(report.is_accepted(), is_accepted, "{field}: {report:?}");
    }
}

/// Decoding reads the stored status separately from the new object. The report lists the duplicates
/// of both.
#[test]
fn duplicates_of_the_stored_status_are_reported_as_tolerated() {
    let list =
        json!({"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "set"});
    let fields = json!({"type": "object", "properties": {"l": list}});
    let schema = json!({"type": "object", "properties": {"spec": fields, "status": fields}});
    let schema = StructuralSchema::compiler()
        .status(StatusHandling::Subresource)
        .schema(&schema)
        .unwrap();
    let metadata = json!({"name": "a", "namespace": "n", "resourceVersion": "1"});
    let object = |spec: Value, status: Value| json!({"metadata": metadata, "spec": {"l": spec}, "status": {"l": status}});
    for (spec, status, tolerated) in [
        (json!(["a"]), json!(["b", "b"]), vec!["status.l[1]"]),
        (json!(["a"]), json!(["b"]), vec![]),
        // A server tolerates all duplicates if any list of the old object has duplicates.
        (
            json!(["a", "a"]),
            json!(["b", "b"]),
            vec!["spec.l[1]", "status.l[1]"],
        ),
    ] {
        let old = object(json!(["a"]), status.clone());
        let mut new = object(spec, json!([]));
        let report = schema.update(&mut new, &old, &ServerSettings::default());
        assert!(report.is_accepted(), "{report}");
        let paths: Vec<String> = report
            .tolerated()
            .iter()
            .map(|error| error.path().to_string())
            .collect();
        assert_eq!(paths, tolerated);
    }
}
