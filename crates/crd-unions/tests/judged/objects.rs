//! Random objects of a schema, and the values at a pointer in them.

use serde_json::{Map, Value, json};
use union_random::Random;

/// Returns random objects of a schema, without regard to its rules.
pub(crate) fn random(schema: &Value, count: usize, seed: u64) -> Vec<Value> {
    let mut texts = Vec::new();
    literals(schema, &mut texts);
    let mut random = Random::new(seed);
    (0..count)
        .map(|_| value(schema, &texts, &mut random))
        .collect()
}

/// Adds the literals in rules, which strings are chosen from.
fn literals(schema: &Value, found: &mut Vec<String>) {
    match schema {
        Value::Object(object) => {
            if let Some(rule) = object.get("rule").and_then(Value::as_str) {
                let parts = rule.split(['\'', '"']).skip(1).step_by(2);
                found.extend(parts.filter(|part| part.len() < 40).map(str::to_owned));
            }
            object.values().for_each(|value| literals(value, found));
        }
        Value::Array(list) => list.iter().for_each(|value| literals(value, found)),
        _ => {}
    }
}

/// Returns a value of a schema, in which fields are set or unset and strings are from the enum or
/// the rules.
fn value(schema: &Value, texts: &[String], random: &mut Random) -> Value {
    if schema["nullable"] == true && random.below(6) == 0 {
        return Value::Null;
    }
    if let Some(values) = schema["enum"].as_array() {
        return random.pick(values).clone();
    }
    match schema["type"].as_str() {
        Some("string") => match random.below(4) {
            0 if !texts.is_empty() => random.pick(texts).clone().into(),
            1 if schema["minLength"].is_null() => "".into(),
            _ => "xyz".into(),
        },
        Some("boolean") => (random.below(2) == 0).into(),
        Some("integer" | "number") => {
            let least = schema["minimum"].as_i64().unwrap_or(0);
            (least + [0, 1, 2, 3][random.below(4)]).into()
        }
        Some("array") => {
            let least = usize::from(schema["minItems"] == 1);
            let count = least + random.below(3);
            (0..count)
                .map(|_| value(&schema["items"], texts, random))
                .collect()
        }
        Some("object") => {
            let mut object = Map::new();
            let required = schema["required"].as_array().cloned().unwrap_or_default();
            // The share of set fields is random, so that sparse objects are frequent.
            let rare = 1 + random.below(6);
            for (name, property) in schema["properties"].as_object().into_iter().flatten() {
                let is_required =
                    required.iter().any(|other| other == name) && random.below(20) > 0;
                if is_required || random.below(rare + 1) == 0 {
                    object.insert(name.clone(), value(property, texts, random));
                }
            }
            if schema["additionalProperties"].is_object() && random.below(2) == 0 {
                object.insert(
                    "k".to_owned(),
                    value(&schema["additionalProperties"], texts, random),
                );
            }
            Value::Object(object)
        }
        _ if schema["x-kubernetes-int-or-string"] == true => 1.into(),
        _ => json!({}),
    }
}

/// Returns the values at a pointer through schemas.
pub(crate) fn at<'v>(whole: &'v Value, pointer: &str) -> Vec<&'v Value> {
    let mut found = vec![whole];
    let mut steps = pointer.split('/').skip(1);
    while let Some(step) = steps.next() {
        found = match step {
            "properties" => {
                let name = steps.next().unwrap_or_default();
                found
                    .into_iter()
                    .filter_map(|value| value.get(name))
                    .collect()
            }
            "items" => found
                .into_iter()
                .filter_map(Value::as_array)
                .flatten()
                .collect(),
            _ => found
                .into_iter()
                .filter_map(Value::as_object)
                .flat_map(Map::values)
                .collect(),
        };
    }
    found
}
