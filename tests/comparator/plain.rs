//! Test that the comparator returns the same results with a plain JSON schema as with a compiled
//! schema.

use k8s_crd_validation::StructuralSchema;
use serde_json::{Map, Value, json};
use union_random::Random;
use union_runtime::comparator::{Comparison, Correlated, CorrelationSchema};

/// Returns a structural schema with everything that correlation depends on: properties, maps, lists
/// of each type, and values that are kept without a schema.
fn random_schema(random: &mut Random, levels: u32) -> Value {
    match random.below(if levels == 0 { 2 } else { 7 }) {
        0 => json!({"type": "string"}),
        1 => json!({"type": "integer"}),
        2 => {
            let values = random_schema(random, levels - 1);
            json!({"type": "object", "additionalProperties": values})
        }
        3 => json!({"type": "array", "items": random_schema(random, levels - 1)}),
        4 => json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true}),
        5 => {
            let keys = &["a", "b"][..=random.below(2)];
            let mut items = random_object_schema(random, levels - 1);
            for key in keys {
                items["properties"][*key] = json!({"type": "string"});
            }
            items["required"] = json!(keys);
            json!({
                "type": "array", "items": items,
                "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": keys,
            })
        }
        _ => random_object_schema(random, levels - 1),
    }
}

fn random_object_schema(random: &mut Random, levels: u32) -> Value {
    let mut properties = Map::new();
    for name in ["a", "b", "c"] {
        if random.below(3) > 0 {
            properties.insert(name.to_owned(), random_schema(random, levels));
        }
    }
    json!({"type": "object", "properties": properties})
}

/// Returns a value that mostly fits a schema. There are few different values, so that many values
/// are equal.
fn random_value(random: &mut Random, schema: &Value) -> Value {
    match schema["type"].as_str() {
        _ if random.below(20) == 0 => json!(null),
        // The schema does not describe this value.
        None => [json!("x"), json!({"e": 1}), json!(["x"])][random.below(3)].clone(),
        Some("string") => json!(["x", "y"][random.below(2)]),
        Some("integer") => [json!(1), json!(1.0), json!(2)][random.below(3)].clone(),
        Some("array") => {
            let count = random.below(4);
            (0..count)
                .map(|_| random_value(random, &schema["items"]))
                .collect()
        }
        _ => {
            let mut object = Map::new();
            for name in ["a", "b", "c", "d"] {
                let child = match &schema["properties"][name] {
                    Value::Null => &schema["additionalProperties"],
                    child => child,
                };
                if random.below(4) > 0 {
                    object.insert(name.to_owned(), random_value(random, child));
                }
            }
            object.into()
        }
    }
}

/// Collects every value of the new object: its path, its old value, and true if it is unchanged.
fn collect_values<'s, S: CorrelationSchema<'s>>(
    correlated: &Correlated<'_, '_, S>,
    path: &str,
    values: &mut Vec<(String, Option<Value>, bool)>,
) {
    values.push((
        path.to_owned(),
        correlated.old().cloned(),
        correlated.is_unchanged(),
    ));
    match correlated.new_value() {
        Value::Object(object) => {
            for key in object.keys() {
                let child = correlated.key(key).expect("a present value");
                collect_values(&child, &format!("{path}.{key}"), values);
            }
        }
        Value::Array(elements) => {
            for position in 0..elements.len() {
                let child = correlated.index(position).expect("a present value");
                collect_values(&child, &format!("{path}[{position}]"), values);
            }
        }
        _ => {}
    }
}

#[test]
fn a_plain_schema_correlates_like_a_compiled_schema() {
    let (mut unchanged_count, mut correlated_count, mut value_count) = (0, 0, 0);
    for seed in 0..3000 {
        let random = &mut Random::new(seed);
        let plain = random_object_schema(random, 3);
        let compiled =
            StructuralSchema::compile(&plain).unwrap_or_else(|errors| panic!("{errors}\n{plain}"));
        let old = random_value(random, &plain);
        // Half of the new objects have large parts of the old object.
        let new = match random.below(2) {
            0 => random_value(random, &plain),
            _ => replace_parts(random, &plain, &old),
        };
        let (mut by_plain, mut by_compiled) = (Vec::new(), Vec::new());
        let comparison = Comparison::new(&plain, &new, &old);
        collect_values(&comparison.root(), "", &mut by_plain);
        let comparison = Comparison::new(compiled.root(), &new, &old);
        collect_values(&comparison.root(), "", &mut by_compiled);
        assert_eq!(by_plain, by_compiled, "{plain}\n{old}\n{new}");
        value_count += by_plain.len();
        correlated_count += by_plain.iter().filter(|(_, old, _)| old.is_some()).count();
        unchanged_count += by_plain
            .iter()
            .filter(|(.., is_unchanged)| *is_unchanged)
            .count();
    }
    // The random objects must contain enough of each case.
    assert!(
        unchanged_count > 2000
            && correlated_count > unchanged_count
            && value_count > correlated_count,
        "{unchanged_count} {correlated_count} {value_count}"
    );
}

/// Returns the old value with some parts replaced by new random values.
fn replace_parts(random: &mut Random, schema: &Value, old: &Value) -> Value {
    if random.below(6) == 0 {
        return random_value(random, schema);
    }
    match old {
        Value::Object(object) => object
            .iter()
            .map(|(key, old)| {
                let child = match &schema["properties"][key] {
                    Value::Null => &schema["additionalProperties"],
                    child => child,
                };
                (key.clone(), replace_parts(random, child, old))
            })
            .collect(),
        Value::Array(elements) => {
            let mut elements: Vec<Value> = elements
                .iter()
                .map(|old| replace_parts(random, &schema["items"], old))
                .collect();
            if random.below(2) == 0 {
                elements.reverse();
            }
            elements.into()
        }
        scalar => scalar.clone(),
    }
}

#[test]
fn a_schema_deeper_than_the_stack_is_answered() {
    let (mut schema, mut new, mut old) = (json!({}), json!({}), json!({}));
    for _ in 0..100_000 {
        let wrap = |inner: &mut Value, keys: &[&str]| {
            let inner = inner.take();
            keys.iter().rev().fold(inner, |inner, key| {
                Value::Object([((*key).to_owned(), inner)].into_iter().collect())
            })
        };
        schema = wrap(&mut schema, &["properties", "a"]);
        new = wrap(&mut new, &["a"]);
        old = wrap(&mut old, &["a"]);
    }
    let comparison = Comparison::new(&schema, &new, &old);
    assert!(
        !comparison.root().is_unchanged(),
        "what is too deep to compare counts as changed"
    );
    drop(comparison);
    for mut deep in [schema, new, old] {
        // Dropping the value at once would overflow the stack.
        while let Some(inner) = deep
            .as_object_mut()
            .and_then(|object| object.values_mut().next())
        {
            deep = inner.take();
        }
    }
}
