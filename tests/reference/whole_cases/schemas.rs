//! Invalid schemas, and schemas that a server accepts only in an update.

use serde_json::{Value, json};

use union_random::Random;

/// Returns the schema of a version, with an error at its root in most cases.
pub(crate) fn root(random: &mut Random) -> Value {
    if random.chance(30) {
        let mut schema = json!({"type": "object"});
        add_keywords(&mut schema, random, MAX_LEVELS);
        return schema;
    }
    let schemas = [
        json!({}),
        json!({"type": "string"}),
        json!({"type": "object", "nullable": true}),
        json!({"type": "object", "additionalProperties": {"type": "string"}}),
        json!({"type": "object", "not": {"required": ["a"]}}),
        json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true}),
        json!({"type": "object", "properties": {"metadata": {"type": "string", "maxLength": 3}}}),
        json!({"type": "object", "properties": {"metadata": {"type": "object"}, "kind": {"type": "string"}}}),
        json!({"type": "object", "properties": {"apiVersion": {"type": "integer"}}}),
        json!({"type": "object", "x-kubernetes-validations": [{"rule": "self"}]}),
    ];
    random.pick(&schemas).clone()
}

/// Returns an invalid schema, alone or inside of a list, a map or an object.
pub(crate) fn inner(random: &mut Random) -> Value {
    let schema = invalid(random);
    match random.below(6) {
        0 => json!({"type": "array", "items": schema}),
        1 => json!({"type": "object", "additionalProperties": schema}),
        2 => json!({"type": "object", "properties": {"a": schema}}),
        _ => schema,
    }
}

fn invalid(random: &mut Random) -> Value {
    if random.chance(30) {
        return mixed(random, MAX_LEVELS);
    }
    if random.chance(30) {
        return rules(random);
    }
    if random.chance(40) {
        return lists(random);
    }
    let schemas = [
        json!({}),
        json!({"type": "bad"}),
        json!({"type": "string"}),
        json!({"type": "array"}),
        json!({"type": "array", "items": []}),
        json!({"type": "string", "format": "color"}),
        json!({"type": "integer", "format": "int8"}),
        json!({"type": "string", "format": "date-time"}),
        json!({"type": "string", "pattern": "+"}),
        json!({"type": "string", "default": 1}),
        json!({"type": "string", "default": "a", "maxLength": 0}),
        json!({"type": "object", "default": {"a": 1}}),
        json!({"type": "object", "properties": {"a": {"type": "string"}}, "default": {"b": {"c": 1}}}),
        json!({"type": "array", "items": {"type": "string"}, "uniqueItems": true}),
        json!({"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": {"type": "string"}}),
        json!({"type": "object", "allOf": [{"type": "object", "description": "a"}]}),
        json!({"type": "object", "anyOf": [{"required": ["a"]}, {"properties": {"a": {"enum": ["<"]}}}]}),
        json!({"x-kubernetes-embedded-resource": true}),
        json!({"type": "object", "x-kubernetes-embedded-resource": true, "properties": {"metadata": {
            "type": "object", "properties": {"labels": {"type": "object", "additionalProperties": {
                "type": "string", "default": "a",
            }}},
        }}}),
        json!({"x-kubernetes-int-or-string": true}),
        json!({"type": "string", "x-kubernetes-int-or-string": true}),
        json!({"type": "object", "x-kubernetes-map-type": "loose"}),
        json!({"type": "null"}),
    ];
    random.pick(&schemas).clone()
}

/// The number of levels of [`mixed`] schemas.
const MAX_LEVELS: usize = 3;

/// Returns a schema with several keywords, which may all be invalid.
fn mixed(random: &mut Random, levels: usize) -> Value {
    if levels == 0 {
        return json!({"type": "string"});
    }
    let mut schema = json!({"type": *random.pick(&["object", "array", "string", "object"])});
    add_keywords(&mut schema, random, levels);
    schema
}

/// Adds two to four keywords to a schema. About half of the keywords are unsupported. Most of these
/// prevent the conversion to a structural schema, so that a server makes only some of the checks.
fn add_keywords(schema: &mut Value, random: &mut Random, levels: usize) {
    for _ in 0..2 + random.below(3) {
        let (keyword, value) = if random.chance(50) {
            unsupported_keyword(random, levels)
        } else {
            supported_keyword(random, levels)
        };
        schema[keyword] = value;
    }
}

fn unsupported_keyword(random: &mut Random, levels: usize) -> (&'static str, Value) {
    let inner = mixed(random, levels - 1);
    let keywords = [
        ("$ref", json!("")),
        ("$ref", json!("#/definitions/d")),
        ("$schema", json!("")),
        ("$schema", json!("s")),
        ("id", json!("")),
        ("id", json!("i")),
        ("additionalItems", json!(false)),
        ("additionalItems", inner.clone()),
        ("definitions", json!({})),
        ("definitions", json!({"d": inner})),
        ("dependencies", json!({})),
        ("dependencies", json!({"d": ["a"]})),
        ("dependencies", json!({"d": inner})),
        ("items", json!([])),
        ("items", json!([inner, {"type": "string"}])),
        ("patternProperties", json!({})),
        ("patternProperties", json!({"^a": inner})),
        ("x-kubernetes-preserve-unknown-fields", json!(false)),
    ];
    random.pick(&keywords).clone()
}

fn supported_keyword(random: &mut Random, levels: usize) -> (&'static str, Value) {
    let inner = mixed(random, levels - 1);
    let rule = *random.pick(&["true", "", " ", "self == oldSelf", "1", "true\n&& true"]);
    let mut rule = json!({ "rule": rule });
    let fields: [(&str, &[&str]); 4] = [
        (
            "fieldPath",
            &["", " ", ".a", ".b", ".a.b", "['a']", "[", "a"],
        ),
        ("message", &["", " ", "m", "m\nn"]),
        ("messageExpression", &["", " ", "'m'", "1"]),
        (
            "reason",
            &["", "Odd", "FieldValueInvalid", "FieldValueRequired"],
        ),
    ];
    for (field, values) in fields {
        if random.chance(30) {
            rule[field] = json!(*random.pick(values));
        }
    }
    let keywords = [
        ("additionalProperties", json!(true)),
        ("additionalProperties", inner.clone()),
        ("allOf", json!([inner])),
        ("allOf", json!([])),
        ("default", json!({"c": 1})),
        ("default", json!("d")),
        ("items", inner.clone()),
        ("not", inner.clone()),
        ("nullable", json!(true)),
        ("pattern", json!("+")),
        ("properties", json!({"a": inner})),
        ("properties", json!({"metadata": inner})),
        ("properties", json!({})),
        ("type", json!("bad")),
        ("uniqueItems", json!(true)),
        ("x-kubernetes-embedded-resource", json!(true)),
        ("x-kubernetes-int-or-string", json!(true)),
        ("x-kubernetes-list-type", json!("map")),
        ("x-kubernetes-list-type", json!("set")),
        ("x-kubernetes-map-type", json!("loose")),
        ("x-kubernetes-validations", json!([rule])),
        ("x-kubernetes-validations", json!([rule])),
        ("x-kubernetes-validations", json!([rule])),
        ("x-kubernetes-validations", json!([rule])),
    ];
    random.pick(&keywords).clone()
}

fn lists(random: &mut Random) -> Value {
    let object = |more: &[(&str, Value)]| {
        let mut list = json!({
            "type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["a"],
            "items": {"type": "object", "required": ["a"], "properties": {"a": {"type": "string"}}},
        });
        for (pointer, value) in more {
            if let Some(place) = list.pointer_mut(pointer) {
                *place = value.clone();
            }
        }
        list
    };
    let lists = [
        object(&[]),
        object(&[("/items/required", json!([]))]),
        object(&[(
            "/items/properties/a",
            json!({"type": "string", "nullable": true}),
        )]),
        object(&[("/items/properties/a", json!({"type": "object"}))]),
        object(&[("/x-kubernetes-list-map-keys", json!(["b", "b"]))]),
        object(&[("/x-kubernetes-list-map-keys", json!([]))]),
        object(&[("/x-kubernetes-list-type", json!("bag"))]),
        object(&[(
            "/items",
            json!({"type": "object", "nullable": true, "properties": {"a": {"type": "string", "default": "x"}}}),
        )]),
        object(&[("/items", json!({"type": "string"}))]),
        json!({"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "object"}}),
        json!({"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "string", "nullable": true}}),
        json!({"type": "string", "x-kubernetes-list-type": "atomic"}),
    ];
    random.pick(&lists).clone()
}

fn rules(random: &mut Random) -> Value {
    let of =
        |rule: Value| json!({"type": "string", "maxLength": 9, "x-kubernetes-validations": [rule]});
    let rules = [
        of(json!({"rule": "self"})),
        of(json!({"rule": " "})),
        of(json!({"rule": "true", "message": " "})),
        of(json!({"rule": "true\n", "messageExpression": "1"})),
        of(json!({"rule": "true &&\n true"})),
        of(json!({"rule": "true", "messageExpression": "'a'", "reason": "Odd"})),
        of(json!({"rule": "true", "fieldPath": "  "})),
        of(json!({"rule": "true", "fieldPath": ".a"})),
        of(json!({"rule": "true", "optionalOldSelf": true})),
        of(json!({"rule": "self == oldSelf"})),
        json!({
            "type": "array", "items": {"type": "array", "items": {"type": "string"}},
            "x-kubernetes-validations": [{"rule": "self.all(x, self.all(y, x == y))"}],
        }),
    ];
    random.pick(&rules).clone()
}
