//! Pairs of different values of a schema, between which a rule may forbid a change.

use serde_json::{Map, Value, json};

use crate::terms::small_value::{Emptiness, small_value_of};

/// The maximum depth at which a value is changed.
const MAX_DEPTH: usize = 8;

/// The maximum number of pairs of different values.
const MAX_PAIRS: usize = 8;

/// Returns pairs of different small values of a schema. The objects of each pair, or the objects in
/// their lists, differ in another property.
pub(crate) fn different_values(schema: &Map<String, Value>) -> Vec<[Value; 2]> {
    let items = schema.get("items").and_then(Value::as_object);
    let in_list = items.filter(|_| schema.get("type").and_then(Value::as_str) == Some("array"));
    let object_schema = in_list.unwrap_or(schema);
    let properties = object_schema.get("properties").and_then(Value::as_object);
    let mut pairs: Vec<[Value; 2]> = Vec::new();
    for name in properties.into_iter().flat_map(Map::keys).take(MAX_PAIRS) {
        let small_value = small_value_of(object_schema, Emptiness::Forbidden, 0);
        if let Value::Object(object) = small_value {
            pairs.extend(objects_different_in(object_schema, &object, name, 0));
        }
    }
    if in_list.is_some() {
        pairs = pairs
            .into_iter()
            .map(|pair| pair.map(|item| json!([item])))
            .collect();
    }
    if pairs.is_empty() {
        pairs.extend(different_values_at(schema, 0));
    }
    pairs
}

fn different_values_at(schema: &Map<String, Value>, depth: usize) -> Option<[Value; 2]> {
    if depth > MAX_DEPTH {
        return None;
    }
    if let Some(values) = schema.get("enum").and_then(Value::as_array) {
        let mut values = values.iter().filter(|value| value.as_str() != Some(""));
        return Some([values.next()?.clone(), values.next()?.clone()]);
    }
    let first = small_value_of(schema, Emptiness::Forbidden, 0);
    let second = match &first {
        Value::Bool(value) => json!(!*value),
        Value::Number(number) => other_number(schema, number.as_i64()?)?,
        Value::String(string) => other_string(schema, string.as_str())?,
        Value::Array(_) => {
            let items = schema.get("items").and_then(Value::as_object)?;
            let [first_item, second_item] = different_values_at(items, depth + 1)?;
            let min = schema.get("minItems").and_then(Value::as_u64).unwrap_or(0);
            return (min < 2).then(|| [json!([first_item]), json!([second_item])]);
        }
        Value::Object(object) => return different_objects(schema, object, depth),
        Value::Null => return None,
    };
    Some([first, second])
}

fn different_objects(
    schema: &Map<String, Value>,
    object: &Map<String, Value>,
    depth: usize,
) -> Option<[Value; 2]> {
    let with = |name: &str, value: Value| {
        let mut object = object.clone();
        object.insert(name.to_owned(), value);
        Value::Object(object)
    };
    if let Some(values) = schema
        .get("additionalProperties")
        .and_then(Value::as_object)
    {
        let [first, second] = different_values_at(values, depth + 1)?;
        return Some([with("key1", first), with("key1", second)]);
    }
    let properties = schema.get("properties").and_then(Value::as_object)?;
    properties
        .keys()
        .find_map(|name| objects_different_in(schema, object, name, depth))
}

/// Returns two objects that differ in a property.
fn objects_different_in(
    schema: &Map<String, Value>,
    object: &Map<String, Value>,
    name: &str,
    depth: usize,
) -> Option<[Value; 2]> {
    let property = schema.get("properties")?.get(name)?.as_object()?;
    if property.contains_key("default") {
        return None;
    }
    let values = different_values_at(property, depth + 1)?;
    Some(values.map(|value| {
        let mut object = object.clone();
        object.insert(name.to_owned(), value);
        Value::Object(object)
    }))
}

fn other_number(schema: &Map<String, Value>, number: i64) -> Option<Value> {
    let bound = |keyword: &str| schema.get(keyword).and_then(Value::as_f64);
    let step = schema
        .get("multipleOf")
        .and_then(Value::as_i64)
        .filter(|step| *step > 0)
        .unwrap_or(1);
    let larger = number.checked_add(step)?;
    #[expect(
        clippy::cast_precision_loss,
        reason = "the examples are small integers"
    )]
    let is_too_large = bound("maximum").is_some_and(|maximum| larger as f64 > maximum);
    if !is_too_large {
        return Some(larger.into());
    }
    let smaller = number.checked_sub(step)?;
    #[expect(
        clippy::cast_precision_loss,
        reason = "the examples are small integers"
    )]
    let is_too_small = bound("minimum").is_some_and(|minimum| (smaller as f64) < minimum);
    (!is_too_small).then(|| smaller.into())
}

fn other_string(schema: &Map<String, Value>, string: &str) -> Option<Value> {
    Some(match schema.get("format").and_then(Value::as_str) {
        Some("date-time") => "2026-01-02T00:00:00Z".into(),
        Some("date") => "2026-01-02".into(),
        Some("duration") => "2s".into(),
        Some("uri") => "https://example.org".into(),
        Some("ipv4" | "ip") => "192.0.2.2".into(),
        Some("cidr") => "198.51.100.0/24".into(),
        _ => {
            let end = string.len().checked_sub(1)?;
            format!("{}y", string.get(..end)?).into()
        }
    })
}
