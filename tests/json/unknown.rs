//! Tests of members that the schema does not know, when the discriminator changes from a value that
//! the schema does not know either.

use serde_json::{Value, json};
use union_json::{SchemaSource, Unions};
use union_runtime::Settings;

use crate::read::choice;

/// Returns the schema of the choice with another field, `other`.
fn schema() -> Value {
    let mut schema = choice();
    schema["properties"]["other"] = json!({});
    schema
}

/// Normalizes an update, and returns the object and the changes.
fn normalize_update(schema: &Value, old: &Value, new: &Value) -> (Value, String) {
    let unions =
        Unions::compile(SchemaSource::Schema(schema)).unwrap_or_else(|error| panic!("{error}"));
    let mut object = new.clone();
    let changes = unions.normalize(&mut object, Some(old), &Settings::default());
    let mut admitted = new.clone();
    let report = unions.admit(&mut admitted, Some(old), &Settings::default());
    assert_eq!(admitted, object);
    assert!(report.is_accepted(), "{new} over {old}");
    assert_eq!(*report.changes(), changes, "{new} over {old}");
    (object, changes.to_string())
}

/// Asserts that normalization of an update clears exactly these fields.
#[track_caller]
fn assert_cleared(schema: &Value, old: &Value, new: &Value, fields: &[&str]) {
    let (object, changes) = normalize_update(schema, old, new);
    let lines: Vec<String> = fields
        .iter()
        .map(|field| format!("{field}: cleared"))
        .collect();
    assert_eq!(changes, lines.join("\n"), "{new} over {old}");
    let mut expected = new.clone();
    for field in fields {
        expected.as_object_mut().expect("an object").remove(*field);
    }
    assert_eq!(object, expected);
}

#[test]
fn the_member_of_an_unknown_value_has_its_name_ignoring_case() {
    let old = json!({"type": "TapeDrive", "tapeDrive": {"speed": 1}});
    for value in [json!({"speed": 1}), json!(null), json!([]), json!("x")] {
        let new = json!({"type": "B", "tapeDrive": value});
        assert_cleared(&schema(), &old, &new, &["tapeDrive"]);
    }
    let new = json!({"type": "A", "a": 1, "tapeDrive": 1});
    assert_cleared(&schema(), &old, &new, &["tapeDrive"]);
    // The fields of the old object do not matter, only the name of its value.
    assert_cleared(
        &schema(),
        &json!({"type": "TAPEDRIVE"}),
        &new,
        &["tapeDrive"],
    );
}

#[test]
fn every_spelling_is_cleared_and_reported() {
    let old = json!({"type": "tape"});
    let new = json!({"type": "B", "tape": 1, "Tape": 2, "TAPE": 3, "tapes": 4, "ta-pe": 5});
    assert_cleared(&schema(), &old, &new, &["TAPE", "Tape", "tape"]);
}

#[test]
fn known_members_are_reported_before_unknown_members() {
    let old = json!({"type": "Tape", "tape": 1});
    let new = json!({"type": "B", "a": 1, "tape": 1});
    assert_cleared(&schema(), &old, &new, &["a", "tape"]);
}

#[test]
fn fields_of_the_schema_are_never_cleared() {
    let mut schema = schema();
    schema["properties"]["tape"] = json!({});
    for (old, new) in [
        ("Other", json!({"type": "B", "other": 1})),
        ("OTHER", json!({"type": "B", "other": 1})),
        ("TYPE", json!({"type": "B"})),
        ("tape", json!({"type": "B", "tape": 1})),
    ] {
        assert_cleared(&schema, &json!({"type": old}), &new, &[]);
    }
    assert_cleared(
        &schema,
        &json!({"type": "tape"}),
        &json!({"type": "B", "tape": 1, "Tape": 2}),
        &["Tape"],
    );
}

#[test]
fn fields_of_conditional_schemas_are_never_cleared() {
    let old = json!({"type": "Tape"});
    let new = json!({"type": "B", "tape": 1});
    let schemas_with_the_field = [
        json!({"oneOf": [{"required": ["a"]}, {"properties": {"tape": {}}}]}),
        json!({"anyOf": [{"$ref": "#/$defs/d"}, {"not": {}}], "$defs": {"d": {"allOf": [{"properties": {"tape": true}}]}}}),
        json!({"if": {"required": ["a"]}, "then": {"properties": {"tape": {}}}}),
        json!({"dependentSchemas": {"a": {"properties": {"tape": {}}}}}),
        json!({"patternProperties": {"^t": {}}}),
        json!({"allOf": [{"properties": {"tape": {}}}]}),
        json!({"additionalProperties": {"type": "integer"}}),
    ];
    for keywords in schemas_with_the_field {
        let mut schema = schema();
        let keywords = keywords.as_object().expect("an object").clone();
        schema.as_object_mut().expect("an object").extend(keywords);
        assert_cleared(&schema, &old, &new, &[]);
    }
    // These keywords do not describe the field.
    for keyword in [
        "required",
        "x-kubernetes-preserve-unknown-fields",
        "additionalProperties",
    ] {
        let mut schema = schema();
        schema[keyword] = if keyword == "required" {
            json!(["tape"])
        } else {
            json!(true)
        };
        assert_cleared(&schema, &old, &new, &["tape"]);
    }
}

#[test]
fn a_schema_without_properties_has_no_unknown_fields() {
    let choice = union_json::union_spec! {discriminator = "type", "A" => "a", "B" => (),};
    let unions = Unions::compiler()
        .union_at("", choice)
        .compile(SchemaSource::WithoutSchema)
        .expect("a valid path");
    let old = json!({"type": "Tape", "tape": 1});
    let mut new = json!({"type": "B", "a": 1, "tape": 1});
    let changes = unions.normalize(&mut new, Some(&old), &Settings::default());
    assert_eq!(changes.to_string(), "a: cleared");
    let unions = Unions::compiler()
        .union_at("", choice)
        .compile(SchemaSource::Schema(&json!({})))
        .expect("a valid path");
    let changes = unions.normalize(&mut new, Some(&old), &Settings::default());
    assert!(changes.is_empty());
}

#[test]
fn unknown_fields_are_cleared_only_from_unknown_to_known_values() {
    for (old, new) in [
        // The old value is known.
        (
            json!({"type": "A", "a": 1}),
            json!({"type": "B", "tape": 1}),
        ),
        // The old object has no valid value.
        (json!({}), json!({"type": "B", "tape": 1})),
        (json!({"type": null}), json!({"type": "B", "tape": 1})),
        (json!({"type": 5}), json!({"type": "B", "5": 1})),
        (json!({"type": ["tape"]}), json!({"type": "B", "tape": 1})),
        // The value does not change.
        (json!({"type": "Tape"}), json!({"type": "Tape", "tape": 1})),
    ] {
        let unions = Unions::compile(SchemaSource::Schema(&schema()))
            .expect("a well-formed schema or document");
        let mut object = new.clone();
        let changes = unions.normalize(&mut object, Some(&old), &Settings::default());
        assert!(changes.is_empty(), "{changes}: {new} over {old}");
        assert_eq!(object, new);
    }
    // The old and the new value are unknown: validation rejects the update, and no member is
    // cleared.
    let unions =
        Unions::compile(SchemaSource::Schema(&schema())).expect("a well-formed schema or document");
    let mut new = json!({"type": "Disk", "tape": 1, "a": 1});
    let report = unions.admit(
        &mut new,
        Some(&json!({"type": "Tape"})),
        &Settings::default(),
    );
    assert!(!report.is_accepted());
    assert_eq!(new, json!({"type": "Disk", "tape": 1, "a": 1}));
    // A create has no old value.
    let mut new = json!({"type": "B", "tape": 1});
    assert!(
        unions
            .normalize(&mut new, None, &Settings::default())
            .is_empty()
    );
}

#[test]
fn nested_objects_behave_the_same() {
    let schema = json!({"properties": {
        "list": {"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["other"], "items": schema()},
        "map": {"additionalProperties": schema()},
    }});
    let old = json!({"other": 1, "type": "Tape", "tape": 1});
    let new = json!({"other": 1, "type": "B", "tape": 1});
    let (object, changes) = normalize_update(
        &schema,
        &json!({"list": [old], "map": {"x.y": old}, "tape": 1}),
        &json!({"list": [new], "map": {"x.y": new}, "tape": 1}),
    );
    assert_eq!(changes, "list[0].tape: cleared\nmap[x.y].tape: cleared");
    assert_eq!(object["tape"], 1, "`tape` is not part of a union here");
}

#[test]
fn a_deduced_string_discriminator_has_no_unknown_values() {
    let schema = json!({
        "properties": {"type": {}, "a": {}, "b": {}},
        "x-kubernetes-unions": [{"discriminator": "type", "fields-to-discriminateBy": {"a": "A", "b": "B"}}],
    });
    let old = json!({"type": "Tape", "tape": 1});
    assert_cleared(&schema, &old, &json!({"type": "A", "a": 1, "tape": 1}), &[]);
}
