//! Small values of schemas, for example objects.

use serde_json::{Map, Value, json};

/// An option of [`small_value_of`], which allows or forbids an empty list, map or enum value.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Emptiness {
    Allowed,
    Forbidden,
}

/// The maximum depth to which objects are completed.
const MAX_DEPTH: usize = 16;

/// The maximum length of strings and lists in examples, even if the schema requires longer values.
const MAX_LENGTH: usize = 256;

/// Adds the fields that the schema requires.
pub(crate) fn add_required_fields(
    object: &mut Map<String, Value>,
    schema: &Map<String, Value>,
    depth: usize,
) {
    let properties = schema.get("properties").and_then(Value::as_object);
    let required = schema.get("required").and_then(Value::as_array);
    for name in required.into_iter().flatten().filter_map(Value::as_str) {
        let property = properties.and_then(|properties| properties.get(name));
        let property = property.and_then(Value::as_object);
        if let Some(property) = property.filter(|property| !property.contains_key("default"))
            && !object.contains_key(name)
            && depth < MAX_DEPTH
        {
            object.insert(
                name.to_owned(),
                small_value_of(property, Emptiness::Allowed, depth + 1),
            );
        }
    }
    // `set_field` creates nested objects, which may lack required fields too.
    for (name, value) in object.iter_mut() {
        let property = properties.and_then(|properties| properties.get(name));
        if let (Value::Object(inner), Some(Value::Object(property))) = (value, property)
            && depth < MAX_DEPTH
        {
            add_required_fields(inner, property, depth + 1);
        }
    }
}

/// Returns a small value of a schema.
pub(crate) fn small_value_of(
    schema: &Map<String, Value>,
    emptiness: Emptiness,
    depth: usize,
) -> Value {
    let min = |keyword: &str| {
        let min = schema
            .get(keyword)
            .and_then(Value::as_u64)
            .unwrap_or_default();
        usize::try_from(min).unwrap_or(MAX_LENGTH).min(MAX_LENGTH)
    };
    if let Some(values) = schema.get("enum").and_then(Value::as_array) {
        let value = values
            .iter()
            .find(|value| emptiness == Emptiness::Allowed || value.as_str() != Some(""));
        return value.cloned().unwrap_or_default();
    }
    match schema.get("type").and_then(Value::as_str) {
        Some("string") => sample_string(schema, min("minLength").max(1)).into(),
        Some("boolean") => true.into(),
        Some("integer" | "number") => {
            let minimum = schema.get("minimum").and_then(Value::as_f64).unwrap_or(1.0);
            let integer = minimum.ceil().max(1.0);
            let maximum = schema.get("maximum").and_then(Value::as_f64);
            let integer = maximum.map_or(integer, |maximum| integer.min(maximum.floor()));
            // The cast saturates. Bounds beyond the range of `i64` do not matter here.
            #[expect(clippy::cast_possible_truncation)]
            let integer = integer as i64;
            integer.into()
        }
        Some("array") => {
            let count = min("minItems").max(usize::from(emptiness == Emptiness::Forbidden));
            let item = match schema.get("items").and_then(Value::as_object) {
                Some(items) if depth < MAX_DEPTH => {
                    small_value_of(items, Emptiness::Allowed, depth + 1)
                }
                _ => json!({}),
            };
            Value::Array(vec![item; count])
        }
        Some("object") => {
            let mut object = Map::new();
            add_required_fields(&mut object, schema, depth + 1);
            let count = min("minProperties").max(usize::from(emptiness == Emptiness::Forbidden));
            let values = schema
                .get("additionalProperties")
                .and_then(Value::as_object);
            if let Some(values) = values {
                for entry_count in object.len()..count {
                    let key = format!("key{}", entry_count + 1);
                    let value = if depth < MAX_DEPTH {
                        small_value_of(values, Emptiness::Allowed, depth + 1)
                    } else {
                        json!({})
                    };
                    object.insert(key, value);
                }
            }
            Value::Object(object)
        }
        _ if schema.get("x-kubernetes-int-or-string") == Some(&Value::Bool(true)) => 1.into(),
        _ => json!({}),
    }
}

/// Returns a valid string of a known format, or else a string of the given length.
fn sample_string(schema: &Map<String, Value>, length: usize) -> String {
    match schema.get("format").and_then(Value::as_str) {
        Some("date-time") => "2026-01-01T00:00:00Z".to_owned(),
        Some("date") => "2026-01-01".to_owned(),
        Some("duration") => "1s".to_owned(),
        Some("uri") => "https://example.com".to_owned(),
        Some("ipv4" | "ip") => "192.0.2.1".to_owned(),
        Some("cidr") => "192.0.2.0/24".to_owned(),
        _ => "x".repeat(length),
    }
}
