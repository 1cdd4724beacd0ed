//! Random objects of a schema, and the values at a pointer in them.

use serde_json::{Map, Value, json};
use union_random::Random;

/// Returns random objects of a schema, without regard to its rules.
pub(crate) fn random_objects(schema: &Value, count: usize, seed: u64) -> Vec<Value> {
    let mut strings = Vec::new();
    collect_literals(schema, &mut strings);
    let mut random = Random::new(seed);
    (0..count)
        .map(|_| random_value(schema, &strings, &mut random))
        .collect()
}

/// Collects the string literals in rules. Random strings are chosen from them.
fn collect_literals(schema: &Value, values: &mut Vec<String>) {
    match schema {
        Value::Object(object) => {
            if let Some(rule) = object.get("rule").and_then(Value::as_str) {
                let parts = rule.split(['\'', '"']).skip(1).step_by(2);
                values.extend(parts.filter(|part| part.len() < 40).map(str::to_owned));
            }
            object
                .values()
                .for_each(|value| collect_literals(value, values));
        }
        Value::Array(list) => list
            .iter()
            .for_each(|value| collect_literals(value, values)),
        _ => {}
    }
}

/// Returns a random value of a schema. Optional fields may be unset, and strings are from the enum,
/// from `strings`, empty or arbitrary.
fn random_value(schema: &Value, strings: &[String], random: &mut Random) -> Value {
    if schema["nullable"] == true && random.below(6) == 0 {
        return Value::Null;
    }
    if let Some(values) = schema["enum"].as_array() {
        return random.pick(values).clone();
    }
    match schema["type"].as_str() {
        Some("string") => match random.below(4) {
            0 if !strings.is_empty() => random.pick(strings).clone().into(),
            1 if schema["minLength"].is_null() => "".into(),
            _ => "xyz".into(),
        },
        Some("boolean") => (random.below(2) == 0).into(),
        Some("integer" | "number") => {
            let min = schema["minimum"].as_i64().unwrap_or(0);
            (min + [0, 1, 2, 3][random.below(4)]).into()
        }
        Some("array") => {
            let min = usize::from(schema["minItems"] == 1);
            let count = min + random.below(3);
            (0..count)
                .map(|_| random_value(&schema["items"], strings, random))
                .collect()
        }
        Some("object") => {
            let mut object = Map::new();
            let required = schema["required"].as_array().cloned().unwrap_or_default();
            // A random probability for each object, so that some objects are sparse.
            let max_rarity = 1 + random.below(6);
            for (name, property) in schema["properties"].as_object().into_iter().flatten() {
                let is_required = required.iter().any(|required_name| required_name == name)
                    && random.below(20) > 0;
                if is_required || random.below(max_rarity + 1) == 0 {
                    object.insert(name.clone(), random_value(property, strings, random));
                }
            }
            if schema["additionalProperties"].is_object() && random.below(2) == 0 {
                object.insert(
                    "k".to_owned(),
                    random_value(&schema["additionalProperties"], strings, random),
                );
            }
            Value::Object(object)
        }
        _ if schema["x-kubernetes-int-or-string"] == true => 1.into(),
        _ => json!({}),
    }
}

/// Returns the values in an object that the schema at a JSON pointer describes.
pub(crate) fn values_at<'v>(object: &'v Value, pointer: &str) -> Vec<&'v Value> {
    let mut values = vec![object];
    let mut steps = pointer.split('/').skip(1);
    while let Some(step) = steps.next() {
        values = match step {
            "properties" => {
                let name = steps.next().unwrap_or_default();
                values
                    .into_iter()
                    .filter_map(|value| value.get(name))
                    .collect()
            }
            "items" => values
                .into_iter()
                .filter_map(Value::as_array)
                .flatten()
                .collect(),
            _ => values
                .into_iter()
                .filter_map(Value::as_object)
                .flat_map(Map::values)
                .collect(),
        };
    }
    values
}
