//! Generates values of members that their schemas accept.

use k8s_crd_validation::{ServerSettings, StructuralSchema};
use serde_json::{Map, Value, json};

use crate::bounds::VALUE_TRIES;
use crate::json::properties;

/// The maximum depth at which values are varied.
const MAX_DEPTH: usize = 8;

/// The maximum number of values that are tried for a nested object.
const MAX_INNER_VALUES: usize = 32;

/// Strings that match many patterns and formats.
pub(crate) const SAMPLE_STRINGS: [&str; 12] = [
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

/// A function that returns a value of a member, given the name of the member and the index of the
/// value (0 or 1). If the function returns `None`, the value is generated from the schema.
pub type ValueSource<'f> = &'f dyn Fn(&str, usize) -> Option<Value>;

/// Returns `None`, so that all values are generated from schemas.
pub(crate) fn no_values(_: &str, _: usize) -> Option<Value> {
    None
}

/// The schemas of a value in both versions, or in the only version that has the value. A value is
/// accepted if all schemas accept it.
pub(crate) struct SharedValueSchemas {
    servers: Vec<StructuralSchema>,
}

impl SharedValueSchemas {
    pub(crate) fn new<'s>(schemas: impl IntoIterator<Item = &'s Value>) -> Self {
        let wrapped = schemas
            .into_iter()
            .map(|schema| json!({"type": "object", "properties": {"value": schema}}));
        let servers = wrapped.filter_map(|schema| {
            // A schema that does not compile is reported as an error of its version.
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

/// Returns up to two different values that all schemas accept. Fewer are returned if no other value
/// is found.
pub(crate) fn value_pair(schemas: &[&Value]) -> Vec<Value> {
    let value_schemas = SharedValueSchemas::new(schemas.iter().copied());
    let Some(schema) = schemas.first() else {
        return Vec::new();
    };
    let is_accepted = |value: &Value| value_schemas.accepts(value);
    let Some(first_value) = candidates(schema, 0)
        .into_iter()
        .take(VALUE_TRIES)
        .find(is_accepted)
    else {
        return Vec::new();
    };
    let mut candidates = variants(schema, &first_value, 0)
        .into_iter()
        .take(VALUE_TRIES);
    let second_value =
        candidates.find(|value| *value != first_value && value_schemas.accepts(value));
    std::iter::once(first_value).chain(second_value).collect()
}

/// Returns values that the schema may accept: the example value, other strings, and variants of the
/// example value. A variant has one more field, another value of an enum (alone or with one more
/// field), or another nested object.
fn candidates(schema: &Value, depth: usize) -> Vec<Value> {
    let example = crd_unions::example_value(schema);
    let mut values = vec![example.clone()];
    match &example {
        Value::String(_) => values.extend(SAMPLE_STRINGS.map(Value::from)),
        Value::Object(object) => {
            let unset_fields: Vec<(String, Value)> = properties(schema)
                .filter(|(name, _)| !object.contains_key(*name))
                .map(|(name, property)| (name.clone(), crd_unions::example_value(property)))
                .collect();
            let with_field = |object: &Map<String, Value>, (name, value): &(String, Value)| {
                let mut object = object.clone();
                object.insert(name.clone(), value.clone());
                Value::Object(object)
            };
            values.extend(unset_fields.iter().map(|field| with_field(object, field)));
            // The example values of required fields may be invalid.
            for (name, value) in object {
                if values.len() >= VALUE_TRIES {
                    break;
                }
                let property = properties(schema).find(|(property_name, _)| *property_name == name);
                if let (Some((_, property)), true, true) =
                    (property, value.is_object(), depth < MAX_DEPTH)
                {
                    let inner = candidates(property, depth + 1).into_iter();
                    values.extend(
                        inner
                            .take(MAX_INNER_VALUES)
                            .map(|inner| with_field(object, &(name.clone(), inner))),
                    );
                }
                for alternative in
                    property.map_or(Vec::new(), |(_, property)| alternatives(property, value))
                {
                    let mut object = object.clone();
                    object.insert(name.clone(), alternative);
                    values.extend(unset_fields.iter().map(|field| with_field(&object, field)));
                    values.push(Value::Object(object));
                }
            }
        }
        _ => {}
    }
    values
}

/// Returns the other values of an enum, or the sample strings for a string.
fn alternatives(schema: &Value, value: &Value) -> Vec<Value> {
    match (schema.get("enum").and_then(Value::as_array), value) {
        (Some(values), _) => values
            .iter()
            .filter(|alternative| *alternative != value)
            .cloned()
            .collect(),
        (None, Value::String(_)) => SAMPLE_STRINGS.map(Value::from).to_vec(),
        _ => Vec::new(),
    }
}

/// Returns values that differ from a value in one small way.
fn variants(schema: &Value, value: &Value, depth: usize) -> Vec<Value> {
    if depth > MAX_DEPTH {
        return Vec::new();
    }
    if schema.get("enum").is_some() {
        return alternatives(schema, value);
    }
    match value {
        Value::String(string) => {
            let mut values = vec![Value::from(format!("{string}2"))];
            values.extend(SAMPLE_STRINGS.map(Value::from));
            values
        }
        Value::Bool(value) => vec![Value::Bool(!value)],
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

/// Returns lists with another first element, and a list with one more element.
fn variants_of_list(schema: &Value, list: &[Value], depth: usize) -> Vec<Value> {
    let items = schema.get("items").unwrap_or(&Value::Null);
    let mut lists = Vec::new();
    if let Some((first_element, other_elements)) = list.split_first() {
        let alternatives = variants(items, first_element, depth + 1).into_iter();
        lists.extend(
            alternatives.map(|alternative| Value::Array([&[alternative], other_elements].concat())),
        );
    }
    let mut longer_list = list.to_vec();
    longer_list.push(crd_unions::example_value(items));
    lists.push(Value::Array(longer_list));
    lists
}

/// Returns objects with another value of a field, with one more field, or with one more entry.
fn variants_of_object(schema: &Value, object: &Map<String, Value>, depth: usize) -> Vec<Value> {
    let mut objects = Vec::new();
    let with_field = |name: &str, value: Value| {
        let mut variant = object.clone();
        variant.insert(name.to_owned(), value);
        Value::Object(variant)
    };
    for (name, property) in properties(schema) {
        let values = match object.get(name) {
            Some(value) => variants(property, value, depth + 1),
            None => vec![crd_unions::example_value(property)],
        };
        objects.extend(
            values
                .into_iter()
                .take(VALUE_TRIES)
                .map(|value| with_field(name, value)),
        );
        if objects.len() >= VALUE_TRIES {
            break;
        }
    }
    let values = schema.get("additionalProperties");
    if let Some(schema) = values.filter(|schema| schema.is_object()) {
        objects.push(with_field("another", crd_unions::example_value(schema)));
    }
    objects
}
