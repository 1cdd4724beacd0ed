//! Tests of errors that are tolerated, and of errors that are not: one row for each case
//! (`docs/ratcheting.md`, "Schema errors").

use k8s_crd_validation::ServerSettings;
use serde_json::{Value, json};

use crate::{errors, schema, update};

/// The name of a case, the schema of `spec`, the old value, the new value, and the fields of the
/// errors.
type Row = (&'static str, Value, Value, Value, &'static [&'static str]);

fn map_list_schema(items: Value) -> Value {
    json!({"type": "object", "properties": {"l": {
        "type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"],
        "items": {"type": "object", "required": ["k"], "properties": items},
    }}})
}

fn string_list_schema(list_type: &str, other_keywords: Value) -> Value {
    let mut list =
        json!({"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": list_type});
    for (key, value) in other_keywords.as_object().unwrap() {
        list[key] = value.clone();
    }
    json!({"type": "object", "properties": {"l": list}})
}

#[expect(clippy::too_many_lines, reason = "it is a table")]
fn rows() -> Vec<Row> {
    let with_min_length = json!({"type": "object", "properties": {
        "a": {"type": "string", "minLength": 3}, "b": {"type": "string"}, "c": {"type": "integer"},
    }});
    let with_required = json!({"type": "object", "required": ["b"], "properties": {
        "a": {"type": "string"}, "b": {"type": "string"}, "n": {"type": "object", "properties": {"q": {"type": "integer"}}},
    }});
    let map_of_strings =
        json!({"type": "object", "additionalProperties": {"type": "string", "minLength": 3}});
    let list_of_strings = |list_type: &str| {
        string_list_schema(
            list_type,
            json!({"items": {"type": "string", "minLength": 3}}),
        )
    };
    let map_list_of_strings = map_list_schema(json!({
        "k": {"type": "integer"}, "v": {"type": "string", "minLength": 5}, "w": {"type": "string"},
    }));
    let map_list_with_max_items = {
        let mut schema = map_list_schema(json!({"k": {"type": "integer"}}));
        schema["properties"]["l"]["maxItems"] = json!(1);
        schema
    };
    let one_of = json!({"type": "object", "oneOf": [{"required": ["a"]}, {"required": ["b"]}], "properties": {
        "a": {"type": "string"}, "b": {"type": "string"}, "c": {"type": "integer"},
    }});
    let all_of = json!({"type": "object", "allOf": [{"properties": {"a": {"minLength": 5}}}], "properties": {
        "a": {"type": "string"}, "c": {"type": "integer"},
    }});
    let string_with_all_of = json!({"type": "object", "properties": {
        "a": {"type": "string", "allOf": [{"minLength": 5}]}, "c": {"type": "integer"},
    }});
    let atomic_map = json!({"type": "object", "x-kubernetes-map-type": "atomic", "properties": {
        "x": {"type": "string", "minLength": 3}, "y": {"type": "integer"},
    }});
    let integer = json!({"type": "object", "properties": {"a": {"type": "integer"}}});
    let with_minimum =
        json!({"type": "object", "properties": {"a": {"type": "number", "minimum": 5}}});
    let preserving_object = json!({"type": "object", "required": ["b"], "x-kubernetes-preserve-unknown-fields": true, "properties": {
        "b": {"type": "string"},
    }});
    vec![
        (
            "a sibling changes",
            with_min_length.clone(),
            json!({"a": "x"}),
            json!({"a": "x", "b": "1"}),
            &[],
        ),
        (
            "the value changes",
            with_min_length,
            json!({"a": "x"}),
            json!({"a": "y"}),
            &["spec.a"],
        ),
        (
            "a missing field of an unchanged object",
            with_required.clone(),
            json!({"a": "x"}),
            json!({"a": "x"}),
            &[],
        ),
        (
            "a missing field of a changed object",
            with_required.clone(),
            json!({"a": "x"}),
            json!({"a": "y"}),
            &["spec.b"],
        ),
        (
            "a missing field, and a change at a deeper level",
            with_required,
            json!({"n": {"q": 1}}),
            json!({"n": {"q": 2}}),
            &["spec.b"],
        ),
        (
            "an unchanged value of a map beside a new value",
            map_of_strings.clone(),
            json!({"x": "a"}),
            json!({"x": "a", "y": "bbb"}),
            &[],
        ),
        (
            "a new value of a map",
            map_of_strings,
            json!({"x": "a"}),
            json!({"x": "a", "y": "b"}),
            &["spec.y"],
        ),
        (
            "an element of an unchanged atomic list",
            list_of_strings("atomic"),
            json!({"l": ["a"]}),
            json!({"l": ["a"]}),
            &[],
        ),
        (
            "an element of a longer atomic list",
            list_of_strings("atomic"),
            json!({"l": ["a"]}),
            json!({"l": ["a", "bbb"]}),
            &["spec.l[0]"],
        ),
        (
            "an element of a longer set",
            list_of_strings("set"),
            json!({"l": ["a"]}),
            json!({"l": ["a", "bbb"]}),
            &["spec.l[0]"],
        ),
        (
            "the order of a set counts",
            string_list_schema("set", json!({"maxItems": 1})),
            json!({"l": ["a", "b"]}),
            json!({"l": ["b", "a"]}),
            &["spec.l"],
        ),
        (
            "the order of a map list does not count",
            map_list_with_max_items,
            json!({"l": [{"k": 1}, {"k": 2}]}),
            json!({"l": [{"k": 2}, {"k": 1}]}),
            &[],
        ),
        (
            "a field of an element with a key",
            map_list_of_strings.clone(),
            json!({"l": [{"k": 1, "v": "ab", "w": "x"}]}),
            json!({"l": [{"k": 1, "v": "ab", "w": "y"}]}),
            &[],
        ),
        (
            "an element with a new key",
            map_list_of_strings,
            json!({"l": [{"k": 1, "v": "ab"}]}),
            json!({"l": [{"k": 2, "v": "ab"}]}),
            &["spec.l[0].v"],
        ),
        (
            "the type in the schema changed",
            integer.clone(),
            json!({"a": "x"}),
            json!({"a": "x"}),
            &[],
        ),
        (
            "the type in the schema and the value changed",
            integer,
            json!({"a": "x"}),
            json!({"a": "y"}),
            &["spec.a"],
        ),
        (
            "two alternatives are valid, and the object is unchanged",
            one_of.clone(),
            json!({"a": "", "b": ""}),
            json!({"a": "", "b": ""}),
            &[],
        ),
        (
            "two alternatives are valid, and a sibling changes",
            one_of,
            json!({"a": "", "b": ""}),
            json!({"a": "", "b": "", "c": 1}),
            &["<nil>"],
        ),
        (
            "errors in allOf are not tolerated",
            all_of,
            json!({"a": "x", "c": 1}),
            json!({"a": "x", "c": 2}),
            &["spec.a", "<nil>"],
        ),
        (
            "allOf of a string belongs to the string",
            string_with_all_of,
            json!({"a": "x", "c": 1}),
            json!({"a": "x", "c": 2}),
            &[],
        ),
        (
            "map-type is ignored",
            atomic_map,
            json!({"x": "a", "y": 1}),
            json!({"x": "a", "y": 2}),
            &[],
        ),
        (
            "an integer and a float are two values",
            with_minimum,
            json!({"a": 1}),
            json!({"a": 1.0}),
            &["spec.a"],
        ),
        (
            "an object with an undescribed key is never equal",
            preserving_object.clone(),
            json!({"zz": 1}),
            json!({"zz": 1}),
            &["spec.b"],
        ),
        (
            "an object without undescribed keys can be equal",
            preserving_object,
            json!({}),
            json!({}),
            &[],
        ),
    ]
}

#[test]
fn errors_are_reported_or_tolerated_as_each_row_states() {
    for (name, spec, old, new, fields) in rows() {
        let schema = schema(spec);
        let old = json!({"spec": old, "other": "1"});
        let new = json!({"spec": new, "other": "2"});
        let report = update(&schema, &old, &new);
        let error_fields: Vec<String> = report
            .errors()
            .iter()
            .map(|error| json!(error)["field"].as_str().unwrap().to_owned())
            .collect();
        assert_eq!(error_fields, fields, "{name}: {:?}", errors(&report));
    }
}

#[test]
fn a_create_tolerates_no_errors() {
    for (name, spec, _, new, _) in rows() {
        let schema = schema(spec);
        let mut object = crate::resource(&json!({"spec": new}));
        let created = schema.create(
            &mut object.clone(),
            &k8s_crd_validation::ServerSettings::default(),
        );
        let without_ratcheting = k8s_crd_validation::ServerSettings::default().ratchet(false);
        let updated = schema.update(
            &mut object,
            &crate::resource(&json!({"spec": {}})),
            &without_ratcheting,
        );
        assert!(created.tolerated().is_empty(), "{name}");
        assert_eq!(
            errors(&created),
            errors(&updated),
            "{name}: without ratcheting, an update is validated like a create"
        );
    }
}

#[test]
fn errors_of_the_root_of_a_resource_are_never_tolerated() {
    let schema = json!({"type": "object", "required": ["b"], "properties": {"a": {"type": "string"}, "b": {"type": "string"}}});
    let schema = k8s_crd_validation::StructuralSchema::compile(&schema).unwrap();
    let report = update(&schema, &json!({"a": "x"}), &json!({"a": "x"}));
    assert_eq!(errors(&report), ["b: Required value"]);
}

#[test]
fn an_integer_beyond_64_bits_equals_its_float() {
    let spec_schema = json!({"type": "object", "properties": {
        "n": {"type": "number", "maximum": 5}, "l": {"type": "array", "maxItems": 0, "items": {"type": "number"}},
    }});
    let schema = schema(spec_schema);
    // A server decodes the integer as the float.
    let (integer, float) = (json!(u64::MAX), json!(18_446_744_073_709_551_615.0));
    let old = json!({"spec": {"n": float, "l": [float]}});
    let report = update(
        &schema,
        &json!({"spec": {"n": integer, "l": [integer]}}),
        &old,
    );
    assert_eq!(errors(&report), [] as [&str; 0]);
    assert_eq!(report.tolerated().len(), 2);
}

#[test]
fn repeated_errors_of_nested_combinators_are_reported_once() {
    let inner_combinator = json!({"allOf": [{"maxLength": 1}, {"minLength": 5}]});
    let schema = schema(json!({"type": "object", "properties": {
        "a": {"type": "string", "allOf": [inner_combinator, {"maxLength": 1}]},
    }}));
    let report = update(
        &schema,
        &json!({"spec": {"a": "new"}}),
        &json!({"spec": {"a": "old"}}),
    );
    let messages = errors(&report);
    let mut distinct_messages = messages.clone();
    distinct_messages.sort_unstable();
    distinct_messages.dedup();
    assert_eq!(messages.len(), distinct_messages.len(), "{messages:?}");
    assert_eq!(messages.len(), 3, "{messages:?}");
}

/// A server prints the paths of the field `a.b` and of the field `b` in `a` in the same way.
#[test]
fn an_error_with_the_same_message_at_another_path_is_a_repeated_error() {
    let long = json!({"type": "string", "maxLength": 1});
    let twice = json!({"type": "string", "maxLength": 1, "allOf": [{"maxLength": 1}]});
    let schema = schema(json!({"type": "object", "properties": {
        "a": {"type": "object", "properties": {"b": twice}}, "a.b": long,
    }}));
    let mut object = json!({"spec": {"a": {"b": "xx"}, "a.b": "xx"}});
    let report = schema.create(&mut object, &ServerSettings::default());
    assert_eq!(
        errors(&report),
        [
            "spec.a.b: Too long: may not be more than 1 byte",
            r#"<nil>: Invalid value: "": "spec.a.b" must validate all the schemas (allOf). None validated"#,
        ]
    );
    let repeated = report.parts().repeated.iter();
    let repeated: Vec<_> = repeated.map(|error| error.path().steps().len()).collect();
    // The path of the field `a.b` has two steps, and the path of `b` in `a` has three.
    assert_eq!(repeated, [2]);
}

/// The elements of this set may have any type. Lists in a set are compared as JSON.
#[test]
fn equal_numbers_in_a_set_are_duplicates() {
    let any = json!({"x-kubernetes-preserve-unknown-fields": true});
    let schema = schema(json!({"type": "array", "x-kubernetes-list-type": "set", "items": any}));
    let many = json!(["a", "b", "c", "d", "e", "f", "g", "h", 0.0, -0.0]);
    for (set, expected) in [
        (json!([[1], [1.0]]), "spec[1]: Duplicate value: [1]"),
        (many, "spec[9]: Duplicate value: -0"),
    ] {
        let report = schema.create(&mut json!({"spec": set}), &ServerSettings::default());
        assert_eq!(errors(&report), [expected], "{set}");
    }
}
