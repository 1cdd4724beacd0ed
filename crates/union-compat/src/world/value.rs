//! Values of members, made from their schemas and accepted by them.

use k8s_crd_validation::{ServerSettings, StructuralSchema};
use serde_json::{Map, Value, json};

use crate::bounds::VALUE_TRIES;
use crate::json::properties;

/// The maximum depth of varied values.
const MAX_DEPTH: usize = 8;

/// The maximum number of values that are tried for an inner object.
const MAX_INNER_VALUES: usize = 32;

/// Strings that many patterns and formats accept.
const SAMPLE_STRINGS: [&str; 12] = [
    "a",
    "x1",
    "1",
    "a-1",
    "a.example.com",
    "A1",
    "/a",
    "https://example.com",
    "10%",
    "1Gi",
    "5s",
    "user@example.com",
];

/// A function that returns values of members for which their schemas do not suffice, by the name of
/// the member and the number of the value: 0 or 1. `None` leaves the value to the schema.
pub type ValueSource<'f> = &'f dyn Fn(&str, usize) -> Option<Value>;

/// Returns `None`, so that all values are built from schemas.
pub(crate) fn no_values(_: &str, _: usize) -> Option<Value> {
    None
}

/// The schemas of a value in both versions, or in the only version that has the value. A value is
/// accepted if each schema accepts it.
pub(crate) struct SharedValueSchemas {
    servers: Vec<StructuralSchema>,
}

impl SharedValueSchemas {
    pub(crate) fn new<'s>(schemas: impl IntoIterator<Item = &'s Value>) -> Self {
        let wrapped = schemas
            .into_iter()
            .map(|schema| json!({"type": "object", "properties": {"value": schema}}));
        let servers = wrapped.filter_map(|schema| {
            // The version with a schema that does not compile reports the errors.
            StructuralSchema::compiler().stored().schema(&schema).ok()
        });
        Self {
            servers: servers.collect(),
        }
    }

    pub(crate) fn accepts(&self, value: &Value) -> bool {
        self.servers.iter().all(|server| {
            let mut object = json!({"value": value});
            server
                .create(&mut object, &ServerSettings::default())
                .is_accepted()
        })
    }
}

/// Returns a value that all of the schemas accept, and a second value that differs from it, if
/// there are such values.
pub(crate) fn value_pair(schemas: &[&Value]) -> Vec<Value> {
    let accepting = SharedValueSchemas::new(schemas.iter().copied());
    let Some(schema) = schemas.first() else {
        return Vec::new();
    };
    let is_fine = |value: &Value| accepting.accepts(value);
    let Some(first) = candidates(schema, 0)
        .into_iter()
        .take(VALUE_TRIES)
        .find(is_fine)
    else {
        return Vec::new();
    };
    let mut second = variants(schema, &first, 0).into_iter().take(VALUE_TRIES);
    let second = second.find(|value| *value != first && accepting.accepts(value));
    std::iter::once(first).chain(second).collect()
}

/// Returns values that the schema may accept: the small value, other strings, and variants of the
/// small value. A variant has one more field, another value of an enum (alone or with one more
/// field), or another inner object.
fn candidates(schema: &Value, depth: usize) -> Vec<Value> {
    let small = crd_unions::example_value(schema);
    let mut found = vec![small.clone()];
    match &small {
        Value::String(_) => found.extend(SAMPLE_STRINGS.map(Value::from)),
        Value::Object(object) => {
            let without: Vec<(String, Value)> = properties(schema)
                .filter(|(name, _)| !object.contains_key(*name))
                .map(|(name, property)| (name.clone(), crd_unions::example_value(property)))
                .collect();
            let with = |object: &Map<String, Value>, (name, value): &(String, Value)| {
                let mut object = object.clone();
                object.insert(name.clone(), value.clone());
                Value::Object(object)
            };
            found.extend(without.iter().map(|field| with(object, field)));
            // The small values of required fields may be invalid.
            for (name, value) in object {
                if found.len() >= VALUE_TRIES {
                    break;
                }
                let property = properties(schema).find(|(of, _)| *of == name);
                if let (Some((_, property)), true, true) =
                    (property, value.is_object(), depth < MAX_DEPTH)
                {
                    let inner = candidates(property, depth + 1).into_iter();
                    found.extend(
                        inner
                            .take(MAX_INNER_VALUES)
                            .map(|inner| with(object, &(name.clone(), inner))),
                    );
                }
                for text in property.map_or(Vec::new(), |(_, property)| others(property, value)) {
                    let mut object = object.clone();
                    object.insert(name.clone(), text);
                    found.extend(without.iter().map(|field| with(&object, field)));
                    found.push(Value::Object(object));
                }
            }
        }
        _ => {}
    }
    found
}

/// Returns other values of an enum, or other strings.
fn others(schema: &Value, value: &Value) -> Vec<Value> {
    match (schema.get("enum").and_then(Value::as_array), value) {
        (Some(values), _) => values
            .iter()
            .filter(|other| *other != value)
            .cloned()
            .collect(),
        (None, Value::String(_)) => SAMPLE_STRINGS.map(Value::from).to_vec(),
        _ => Vec::new(),
    }
}

/// Returns values that differ from a value as little as possible.
fn variants(schema: &Value, value: &Value, depth: usize) -> Vec<Value> {
    if depth > MAX_DEPTH {
        return Vec::new();
    }
    if schema.get("enum").is_some() {
        return others(schema, value);
    }
    match value {
        Value::String(text) => {
            let mut found = vec![Value::from(format!("{text}2"))];
            found.extend(SAMPLE_STRINGS.map(Value::from));
            found
        }
        Value::Bool(on) => vec![Value::Bool(!on)],
        Value::Number(number) => {
            let number = number.as_i64().unwrap_or_default();
            vec![
                number.saturating_add(1).into(),
                number.saturating_sub(1).into(),
            ]
        }
        Value::Array(list) => variants_of_list(schema, list, depth),
        Value::Object(object) => variants_of_object(schema, object, depth),
        Value::Null => Vec::new(),
    }
}

/// Returns lists with another first element, or with one more element.
fn variants_of_list(schema: &Value, list: &[Value], depth: usize) -> Vec<Value> {
    let items = schema.get("items").unwrap_or(&Value::Null);
    let mut found = Vec::new();
    if let Some((first, rest)) = list.split_first() {
        let others = variants(items, first, depth + 1).into_iter();
        found.extend(others.map(|other| Value::Array([&[other], rest].concat())));
    }
    let mut longer = list.to_vec();
    longer.push(crd_unions::example_value(items));
    found.push(Value::Array(longer));
    found
}

/// Returns objects with another value of a field, with one more field, or with one more entry.
fn variants_of_object(schema: &Value, object: &Map<String, Value>, depth: usize) -> Vec<Value> {
    let mut found = Vec::new();
    let with = |name: &str, value: Value| {
        let mut other = object.clone();
        other.insert(name.to_owned(), value);
        Value::Object(other)
    };
    for (name, property) in properties(schema) {
        let values = match object.get(name) {
            Some(value) => variants(property, value, depth + 1),
            None => vec![crd_unions::example_value(property)],
        };
        found.extend(
            values
                .into_iter()
                .take(VALUE_TRIES)
                .map(|value| with(name, value)),
        );
        if found.len() >= VALUE_TRIES {
            break;
        }
    }
    let values = schema.get("additionalProperties");
    if let Some(values) = values.filter(|of| of.is_object()) {
        found.push(with("another", crd_unions::example_value(values)));
    }
    found
}
