//! Errors that ratchet and errors that do not, one row a case (`docs/ratcheting.md`, "Schema
//! errors").

use serde_json::{Value, json};

use crate::{errors, schema, update};

/// A row: the name, the schema of `spec`, the old value, the new value, and the fields of the
/// errors.
type Row = (&'static str, Value, Value, Value, &'static [&'static str]);

fn map_list(items: Value) -> Value {
    json!({"type": "object", "properties": {"l": {
        "type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"],
        "items": {"type": "object", "required": ["k"], "properties": items},
    }}})
}

fn list(list_type: &str, rest: Value) -> Value {
    let mut list =
        json!({"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": list_type});
    for (key, value) in rest.as_object().unwrap() {
        list[key] = value.clone();
    }
    json!({"type": "object", "properties": {"l": list}})
}

#[expect(clippy::too_many_lines, reason = "it is a table")]
fn rows() -> Vec<Row> {
    let short = json!({"type": "object", "properties": {
        "a": {"type": "string", "minLength": 3}, "b": {"type": "string"}, "c": {"type": "integer"},
    }});
    let needs_b = json!({"type": "object", "required": ["b"], "properties": {
        "a": {"type": "string"}, "b": {"type": "string"}, "n": {"type": "object", "properties": {"q": {"type": "integer"}}},
    }});
    let values =
        json!({"type": "object", "additionalProperties": {"type": "string", "minLength": 3}});
    let items = |list_type: &str| {
        list(
            list_type,
            json!({"items": {"type": "string", "minLength": 3}}),
        )
    };
    let of_map = map_list(json!({
        "k": {"type": "integer"}, "v": {"type": "string", "minLength": 5}, "w": {"type": "string"},
    }));
    let one_of_map = {
        let mut schema = map_list(json!({"k": {"type": "integer"}}));
        schema["properties"]["l"]["maxItems"] = json!(1);
        schema
    };
    let one_of = json!({"type": "object", "oneOf": [{"required": ["a"]}, {"required": ["b"]}], "properties": {
        "a": {"type": "string"}, "b": {"type": "string"}, "c": {"type": "integer"},
    }});
    let all_of = json!({"type": "object", "allOf": [{"properties": {"a": {"minLength": 5}}}], "properties": {
        "a": {"type": "string"}, "c": {"type": "integer"},
    }});
    let leaf = json!({"type": "object", "properties": {
        "a": {"type": "string", "allOf": [{"minLength": 5}]}, "c": {"type": "integer"},
    }});
    let atomic = json!({"type": "object", "x-kubernetes-map-type": "atomic", "properties": {
        "x": {"type": "string", "minLength": 3}, "y": {"type": "integer"},
    }});
    let integer = json!({"type": "object", "properties": {"a": {"type": "integer"}}});
    let least = json!({"type": "object", "properties": {"a": {"type": "number", "minimum": 5}}});
    let open = json!({"type": "object", "required": ["b"], "x-kubernetes-preserve-unknown-fields": true, "properties": {
        "b": {"type": "string"},
    }});
    vec![
        (
            "a sibling changes",
            short.clone(),
            json!({"a": "x"}),
            json!({"a": "x", "b": "1"}),
            &[],
        ),
        (
            "the value changes",
            short,
            json!({"a": "x"}),
            json!({"a": "y"}),
            &["spec.a"],
        ),
        (
            "a missing field of an unchanged object",
            needs_b.clone(),
            json!({"a": "x"}),
            json!({"a": "x"}),
            &[],
        ),
        (
            "a missing field of a changed object",
            needs_b.clone(),
            json!({"a": "x"}),
            json!({"a": "y"}),
            &["spec.b"],
        ),
        (
            "a missing field, and a change far below",
            needs_b,
            json!({"n": {"q": 1}}),
            json!({"n": {"q": 2}}),
            &["spec.b"],
        ),
        (
            "a value of a map, and a new one",
            values.clone(),
            json!({"x": "a"}),
            json!({"x": "a", "y": "bbb"}),
            &[],
        ),
        (
            "a new value of a map",
            values,
            json!({"x": "a"}),
            json!({"x": "a", "y": "b"}),
            &["spec.y"],
        ),
        (
            "an element of an unchanged atomic list",
            items("atomic"),
            json!({"l": ["a"]}),
            json!({"l": ["a"]}),
            &[],
        ),
        (
            "an element of a longer atomic list",
            items("atomic"),
            json!({"l": ["a"]}),
            json!({"l": ["a", "bbb"]}),
            &["spec.l[0]"],
        ),
        (
            "an element of a longer set",
            items("set"),
            json!({"l": ["a"]}),
            json!({"l": ["a", "bbb"]}),
            &["spec.l[0]"],
        ),
        (
            "the order of a set counts",
            list("set", json!({"maxItems": 1})),
            json!({"l": ["a", "b"]}),
            json!({"l": ["b", "a"]}),
            &["spec.l"],
        ),
        (
            "the order of a map list does not",
            one_of_map,
            json!({"l": [{"k": 1}, {"k": 2}]}),
            json!({"l": [{"k": 2}, {"k": 1}]}),
            &[],
        ),
        (
            "a field of an element with a key",
            of_map.clone(),
            json!({"l": [{"k": 1, "v": "ab", "w": "x"}]}),
            json!({"l": [{"k": 1, "v": "ab", "w": "y"}]}),
            &[],
        ),
        (
            "an element with a new key",
            of_map,
            json!({"l": [{"k": 1, "v": "ab"}]}),
            json!({"l": [{"k": 2, "v": "ab"}]}),
            &["spec.l[0].v"],
        ),
        (
            "the type changed",
            integer.clone(),
            json!({"a": "x"}),
            json!({"a": "x"}),
            &[],
        ),
        (
            "the type changed, and the value",
            integer,
            json!({"a": "x"}),
            json!({"a": "y"}),
            &["spec.a"],
        ),
        (
            "one alternative too many, unchanged",
            one_of.clone(),
            json!({"a": "", "b": ""}),
            json!({"a": "", "b": ""}),
            &[],
        ),
        (
            "one alternative too many, and a change beside",
            one_of,
            json!({"a": "", "b": ""}),
            json!({"a": "", "b": "", "c": 1}),
            &["<nil>"],
        ),
        (
            "nothing ratchets in allOf",
            all_of,
            json!({"a": "x", "c": 1}),
            json!({"a": "x", "c": 2}),
            &["spec.a", "<nil>"],
        ),
        (
            "allOf of a leaf belongs to the leaf",
            leaf,
            json!({"a": "x", "c": 1}),
            json!({"a": "x", "c": 2}),
            &[],
        ),
        (
            "map-type is ignored",
            atomic,
            json!({"x": "a", "y": 1}),
            json!({"x": "a", "y": 2}),
            &[],
        ),
        (
            "an integer and a float are two values",
            least,
            json!({"a": 1}),
            json!({"a": 1.0}),
            &["spec.a"],
        ),
        (
            "an undescribed key is never equal",
            open.clone(),
            json!({"zz": 1}),
            json!({"zz": 1}),
            &["spec.b"],
        ),
        ("without one the object is", open, json!({}), json!({}), &[]),
    ]
}

#[test]
fn each_row_comes_out_as_it_says() {
    for (name, spec, old, new, fields) in rows() {
        let schema = schema(spec);
        let old = json!({"spec": old, "other": "1"});
        let new = json!({"spec": new, "other": "2"});
        let outcome = update(&schema, &old, &new);
        let found: Vec<String> = outcome
            .errors()
            .iter()
            .map(|error| json!(error)["field"].as_str().unwrap().to_owned())
            .collect();
        assert_eq!(found, fields, "{name}: {:?}", errors(&outcome));
    }
}

#[test]
fn a_create_tolerates_nothing() {
    for (name, spec, _, new, _) in rows() {
        let schema = schema(spec);
        let mut object = crate::resource(&json!({"spec": new}));
        let created = schema.create(
            &mut object.clone(),
            &k8s_crd_validation::ServerSettings::default(),
        );
        let off = k8s_crd_validation::ServerSettings::default().ratchet(false);
        let updated = schema.update(&mut object, &crate::resource(&json!({"spec": {}})), &off);
        assert!(created.tolerated().is_empty(), "{name}");
        assert_eq!(
            errors(&created),
            errors(&updated),
            "{name}: without ratcheting an update is judged as a create"
        );
    }
}

#[test]
fn the_root_of_a_resource_is_never_equal() {
    let schema = json!({"type": "object", "required": ["b"], "properties": {"a": {"type": "string"}, "b": {"type": "string"}}});
    let schema = k8s_crd_validation::StructuralSchema::compile(&schema).unwrap();
    let outcome = update(&schema, &json!({"a": "x"}), &json!({"a": "x"}));
    assert_eq!(errors(&outcome), ["b: Required value"]);
}

#[test]
fn integers_beyond_64_bits_are_floats_to_a_server() {
    let spec = json!({"type": "object", "properties": {
        "n": {"type": "number", "maximum": 5}, "l": {"type": "array", "maxItems": 0, "items": {"type": "number"}},
    }});
    let schema = schema(spec);
    // A server answers with the second what it was given as the first.
    let (integer, float) = (json!(u64::MAX), json!(18_446_744_073_709_551_615.0));
    let old = json!({"spec": {"n": float, "l": [float]}});
    let outcome = update(
        &schema,
        &json!({"spec": {"n": integer, "l": [integer]}}),
        &old,
    );
    assert_eq!(errors(&outcome), [] as [&str; 0]);
    assert_eq!(outcome.tolerated().len(), 2);
}

#[test]
fn what_nested_combinators_say_twice_is_said_once() {
    let inner = json!({"allOf": [{"maxLength": 1}, {"minLength": 5}]});
    let schema = schema(json!({"type": "object", "properties": {
        "a": {"type": "string", "allOf": [inner, {"maxLength": 1}]},
    }}));
    let outcome = update(
        &schema,
        &json!({"spec": {"a": "new"}}),
        &json!({"spec": {"a": "old"}}),
    );
    let found = errors(&outcome);
    let mut once = found.clone();
    once.sort_unstable();
    once.dedup();
    assert_eq!(found.len(), once.len(), "{found:?}");
    assert_eq!(found.len(), 3, "{found:?}");
}
