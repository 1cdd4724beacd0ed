//! Tests with all pairs of a new and an old object for small schemas, and with random pairs for
//! larger schemas.

use serde_json::{Map, Value, json};
use union_random::Random;

use crate::native::PolicyComparison;

/// Returns the unions that policies support: a name, and the schema of an object with the union.
fn unions() -> Vec<(&'static str, Value)> {
    let object = |discriminator: Value, extension: Option<Value>| {
        let mut schema = json!({"type": "object", "properties": {
            "d": discriminator,
            "a": {"type": "object", "nullable": true},
            "b/~": {"type": "object", "nullable": true},
            "c": {"type": "object", "nullable": true},
        }});
        if let Some(extension) = extension {
            schema["x-kubernetes-unions"] = extension;
        }
        schema
    };
    let members = json!({"A": {"name": "a"}, "B": {"name": "b/~", "optional": true}, "C": {"name": "c"}, "N": null});
    let values = json!(["A", "B", "C", "N"]);
    let union_2022 = |values: &Value, default: Option<&str>| {
        let mut members = members.clone();
        if values[3] == "" {
            members[""] = Value::Null;
        }
        let mut discriminator = json!({"type": "string", "enum": values, "x-kubernetes-unions": {"fieldMembers": members}});
        if let Some(default) = default {
            discriminator["default"] = default.into();
        }
        object(discriminator, None)
    };
    let fields = json!({"a": "A", "b/~": "B", "c": "C"});
    let union_2019 = |discriminator: Value| {
        object(
            discriminator,
            Some(json!([{"discriminator": "d", "fields-to-discriminateBy": fields}])),
        )
    };
    let required = |mut schema: Value| {
        schema["required"] = json!(["d"]);
        schema
    };
    let undiscriminated = json!([{"fields-to-discriminateBy": fields}]);
    vec![
        ("required", required(union_2022(&values, None))),
        ("optional", union_2022(&values, None)),
        ("default", union_2022(&values, Some("C"))),
        ("empty", union_2022(&json!(["A", "B", "C", "", "N"]), None)),
        (
            "deduced, enum",
            union_2019(json!({"type": "string", "enum": ["A", "B", "C"]})),
        ),
        ("deduced, text", union_2019(json!({"type": "string"}))),
        (
            "undiscriminated",
            object(json!({"type": "string"}), Some(undiscriminated)),
        ),
    ]
}

/// Returns the states of a field: absent, and each of the values.
fn states(values: &[Value]) -> Vec<Option<Value>> {
    std::iter::once(None)
        .chain(values.iter().cloned().map(Some))
        .collect()
}

/// Returns all objects with these fields in these states.
fn objects(fields: &[(&str, Vec<Option<Value>>)]) -> Vec<Value> {
    let mut objects = vec![Map::new()];
    for (name, states) in fields {
        let with_state = |object: &Map<String, Value>, state: &Option<Value>| {
            let mut object = object.clone();
            if let Some(value) = state {
                object.insert((*name).to_owned(), value.clone());
            }
            object
        };
        objects = objects
            .iter()
            .flat_map(|object| states.iter().map(move |state| with_state(object, state)))
            .collect();
    }
    objects.into_iter().map(Value::Object).collect()
}

#[test]
fn policies_treat_all_small_objects_like_the_native_rules() {
    let discriminators = states(&[
        json!(null),
        json!("A"),
        json!("B"),
        json!("N"),
        json!(""),
        json!("Z"),
        json!(5),
    ]);
    let member = || states(&[json!({})]);
    let all_objects = objects(&[
        ("d", discriminators),
        ("a", member()),
        ("b/~", member()),
        ("c", member()),
    ]);
    for (name, schema) in unions() {
        let comparison = PolicyComparison::new(&schema);
        assert_eq!(comparison.expression_counts(), [1, 1], "{name}");
        let mut pairs = Vec::new();
        for new in &all_objects {
            pairs.push((new.clone(), Value::Null));
            pairs.extend(all_objects.iter().map(|old| (new.clone(), old.clone())));
        }
        comparison.compare(pairs);
    }
}

#[test]
fn null_members_are_unset() {
    let member = || states(&[json!(null), json!({})]);
    let discriminators = states(&[json!("A"), json!("C")]);
    let all_objects = objects(&[("d", discriminators), ("a", member()), ("c", member())]);
    for (_, schema) in unions() {
        let pairs = all_objects
            .iter()
            .flat_map(|new| all_objects.iter().map(|old| (new.clone(), old.clone())));
        PolicyComparison::new(&schema).compare(pairs.collect());
    }
}

/// Unions in fields, lists and maps, and below other unions.
#[test]
fn unions_in_lists_and_maps_have_the_same_old_value_as_in_the_engine() {
    let mut random = Random::new(1);
    for (_, union) in unions() {
        let mut parent = union.clone();
        parent["properties"]["c"] =
            json!({"type": "object", "nullable": true, "properties": {"below": union}});
        let mut element = union.clone();
        element["properties"]["k"] = json!({"type": "string"});
        element["properties"]["p"] = json!({"type": "string", "default": "TCP"});
        let keyed = json!({
            "type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k", "p"], "items": element,
        });
        let schema = json!({"type": "object", "properties": {
            "spec": {"type": "object", "properties": {
                "one": parent,
                "keyed": keyed,
                "plain": {"type": "array", "items": {"type": "object", "properties": {"inner": union}}},
                "by/key": {"type": "object", "additionalProperties": {"type": "object", "properties": {"keyed": keyed}}},
            }},
            "status": union,
        }});
        let comparison = PolicyComparison::new(&schema);
        let mut pairs = Vec::new();
        for _ in 0..if cfg!(debug_assertions) { 24 } else { 1000 } {
            let old = spec(&mut random);
            let mut new = spec(&mut random);
            if random.chance(50) {
                new = with_small_changes(&old, &mut random);
            }
            let old = if random.chance(12) { Value::Null } else { old };
            pairs.push((new, old));
        }
        comparison.compare(pairs);
    }
}

fn union(random: &mut Random) -> Map<String, Value> {
    let mut object = Map::new();
    if random.chance(50) || random.chance(50) {
        let discriminators = ["A", "B", "C", "N", "", "Z"];
        object.insert("d".to_owned(), (*random.pick(&discriminators)).into());
    }
    for name in ["a", "b/~", "c"] {
        if random.chance(50) {
            let value = if random.chance(17) {
                json!(null)
            } else {
                json!({})
            };
            object.insert(name.to_owned(), value);
        }
    }
    if random.chance(33) {
        object.insert(
            "c".to_owned(),
            json!({"below": {"d": "A", "a": {}, "c": {}}}),
        );
    }
    object
}

fn keyed(random: &mut Random) -> Value {
    let mut keys = ["x", "y", "z"].to_vec();
    let mut list = Vec::new();
    while !keys.is_empty() && !random.chance(25) {
        let key = keys.remove(random.below(keys.len()));
        let mut element = union(random);
        element.insert("k".to_owned(), key.into());
        if random.chance(33) {
            let protocol = if random.chance(50) { "TCP" } else { "UDP" };
            element.insert("p".to_owned(), protocol.into());
        }
        list.push(Value::Object(element));
    }
    list.into()
}

fn spec(random: &mut Random) -> Value {
    let inner = |random: &mut Random| json!({"inner": union(random)});
    let mut spec = json!({
        "one": union(random),
        "keyed": keyed(random),
        "plain": [inner(random), inner(random)],
        "by/key": {"u/~": {"keyed": keyed(random)}, "v": {"keyed": keyed(random)}},
    });
    // A value of another type is left to the validation of the schema.
    if random.chance(10) {
        let names = ["one", "keyed", "plain", "by/key"];
        let invalid_values = [json!(null), json!("text"), json!([5]), json!({"k": 5})];
        spec[*random.pick(&names)] = random.pick(&invalid_values).clone();
    }
    json!({"spec": spec, "status": union(random)})
}

/// Returns a copy of the object with small changes: in a field, or in the order of a list.
fn with_small_changes(old: &Value, random: &mut Random) -> Value {
    let mut new = old.clone();
    for _ in 0..=random.below(3) {
        let pointer = [
            "/spec/one",
            "/spec/keyed/0",
            "/spec/plain/1/inner",
            "/spec/by~1key/u~1~0/keyed/0",
            "/status",
        ];
        let pointer = random.pick(&pointer);
        if let Some(Value::Object(object)) = new.pointer_mut(pointer) {
            object.extend(union(random));
        }
        if random.chance(33)
            && let Some(Value::Array(list)) = new.pointer_mut("/spec/keyed")
        {
            list.reverse();
        }
    }
    new
}
