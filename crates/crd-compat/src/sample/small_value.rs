//! Creates small values of schemas.

use serde_json::{Map, Value, json};

use super::json_size::json_size;
use super::schema::{properties, property_schema, required};
use super::strings::small_strings;
use crate::bounds::OBJECT_BYTES;

/// The maximum number of items of a list and of entries of a map.
const MAX_COUNT: u64 = 100;

/// The maximum number of values in a value. Nested lists with many items would otherwise have an
/// exponential number of values.
const MAX_VALUES: usize = 10_000;

/// Returns a small value of a schema: the required fields, and the first value of each enum. Values
/// of different `variant` differ if the schema permits it, for lists whose items must differ. Rules
/// and the keywords `allOf`, `anyOf`, `oneOf` and `not` are ignored. Lists and maps have fewer
/// elements than the schema demands if the value would be too large.
#[must_use]
pub fn small_value(schema: &Value, variant: usize) -> Value {
    let mut maker = ValueMaker {
        left: MAX_VALUES,
        left_bytes: OBJECT_BYTES,
    };
    maker.small_value(schema, variant)
}

/// Makes a value, and counts the values in it.
struct ValueMaker {
    /// The number of values that may still be made.
    left: usize,
    /// The number of bytes that scalars, enum values and defaults may still have.
    left_bytes: usize,
}

impl ValueMaker {
    fn small_value(&mut self, schema: &Value, variant: usize) -> Value {
        self.left = self.left.saturating_sub(1);
        if self.left_bytes == 0 {
            return Value::Null;
        }
        if let Some(value) = small_enum_value(schema, variant) {
            return self.limited(value);
        }
        let is_true = |keyword: &str| schema.get(keyword) == Some(&Value::Bool(true));
        if is_true("x-kubernetes-int-or-string") {
            return self.limited(small_number(schema, variant));
        }
        match schema.get("type").and_then(Value::as_str) {
            Some("string") => self.limited(small_string(schema, variant)),
            Some("integer" | "number") => self.limited(small_number(schema, variant)),
            Some("boolean") => {
                self.limited(default_of(schema).unwrap_or(Value::Bool(variant % 2 == 1)))
            }
            Some("array") => self.small_list(schema, variant),
            _ if is_true("x-kubernetes-embedded-resource") => self.embedded_object(schema, variant),
            _ => Value::Object(self.small_fields(schema, variant)),
        }
    }

    /// Returns the value; null if the whole value would become too large.
    fn limited(&mut self, value: Value) -> Value {
        if let Some(size) = json_size(&value, self.left_bytes) {
            self.left_bytes -= size;
            return value;
        }
        self.left_bytes = 0;
        Value::Null
    }

    fn small_list(&mut self, schema: &Value, variant: usize) -> Value {
        let count = schema.get("minItems").and_then(Value::as_u64).unwrap_or(0);
        let count = usize::try_from(count.min(MAX_COUNT)).unwrap_or(0);
        let Some(items) = schema.get("items") else {
            return json!([]);
        };
        let mut list = Vec::new();
        for index in 0..count {
            if self.left == 0 {
                break;
            }
            list.push(self.small_value(items, variant + index));
        }
        Value::Array(list)
    }

    /// Returns the required fields, and as many other fields as `minProperties` demands.
    fn small_fields(&mut self, schema: &Value, variant: usize) -> Map<String, Value> {
        let mut fields = Map::new();
        for name in required(schema) {
            if let Some(property) = property_schema(schema, name) {
                let value = value_with_member(schema, property, variant);
                let value = value.unwrap_or_else(|| self.small_value(property, variant));
                fields.insert(name.to_owned(), value);
            }
        }
        let min_count = schema.get("minProperties").and_then(Value::as_u64);
        let min_count = min_count.unwrap_or(0).min(MAX_COUNT);
        let min_count = usize::try_from(min_count).unwrap_or(0);
        for (name, property) in properties(schema).into_iter().flatten() {
            if fields.len() < min_count && !fields.contains_key(name) {
                fields.insert(name.clone(), self.small_value(property, variant));
            }
        }
        if let Some(values) = schema.get("additionalProperties") {
            for number in 1.. {
                if fields.len() >= min_count || self.left == 0 {
                    break;
                }
                let key = if number == 1 {
                    "example".to_owned()
                } else {
                    format!("example-{number}")
                };
                fields.insert(key, self.small_value(values, variant));
            }
        }
        fields
    }

    /// Returns an object with the fields that a server demands of an embedded object.
    fn embedded_object(&mut self, schema: &Value, variant: usize) -> Value {
        let mut fields = self.small_fields(schema, variant);
        let mut set_field = |name: &str, value: Value| {
            fields.insert(name.to_owned(), value);
        };
        set_field("apiVersion", json!("v1"));
        set_field("kind", json!("ConfigMap"));
        set_field("metadata", json!({"name": "example"}));
        Value::Object(fields)
    }
}

/// Returns a small value of a schema. A list has an item, even if the schema permits an empty list.
pub(crate) fn small_filled_value(schema: &Value, variant: usize) -> Value {
    match (small_value(schema, variant), schema.get("items")) {
        (Value::Array(items), Some(item_schema)) if items.is_empty() => {
            json!([small_value(item_schema, variant)])
        }
        (value, _) => value,
    }
}

/// Returns the default of a schema, unless the default is null.
fn default_of(schema: &Value) -> Option<Value> {
    schema
        .get("default")
        .filter(|default| !default.is_null())
        .cloned()
}

/// Returns an enum value: the default for variant 0, or else a value that is not empty.
fn small_enum_value(schema: &Value, variant: usize) -> Option<Value> {
    let values = schema.get("enum")?.as_array()?;
    if variant == 0
        && let Some(default) = default_of(schema)
    {
        return Some(default);
    }
    let is_nonempty = |value: &&Value| !value.is_null() && value.as_str() != Some("");
    let nonempty: Vec<&Value> = values.iter().filter(is_nonempty).collect();
    let value = match nonempty.len() {
        0 => values.first(),
        count => nonempty.get(variant % count).copied(),
    };
    value.cloned()
}

fn small_string(schema: &Value, variant: usize) -> Value {
    let default = default_of(schema).filter(|_| variant == 0);
    default.unwrap_or_else(|| {
        let strings = small_strings(schema);
        let string = match strings.len() {
            0 => None,
            count => strings.get(variant % count),
        };
        json!(string.map_or("", String::as_str))
    })
}

/// Returns 1, or the nearest number that the keywords of the schema accept. Each variant is the
/// next number.
fn small_number(schema: &Value, variant: usize) -> Value {
    if let Some(default) = default_of(schema).filter(|_| variant == 0) {
        return default;
    }
    let number = |keyword: &str| schema.get(keyword).and_then(Value::as_f64);
    let is_exclusive = |keyword: &str| schema.get(keyword) == Some(&Value::Bool(true));
    let step = number("multipleOf").filter(|step| *step > 0.0);
    let step = step.unwrap_or(1.0);
    let mut smallest = number("minimum").unwrap_or(f64::NEG_INFINITY);
    if is_exclusive("exclusiveMinimum") {
        smallest += f64::MIN_POSITIVE.max(smallest.abs() * f64::EPSILON);
    }
    let mut largest = number("maximum").unwrap_or(f64::INFINITY);
    if is_exclusive("exclusiveMaximum") {
        largest -= f64::MIN_POSITIVE.max(largest.abs() * f64::EPSILON);
    }
    let offset = u32::try_from(variant).map_or(0.0, f64::from) * step;
    let first = (smallest.max(1.0) / step).ceil() * step;
    let value = if first <= largest {
        first + offset
    } else {
        (largest / step).floor() * step - offset
    };
    // A number without a fraction is an integer in JSON.
    serde_json::from_str(&value.to_string()).unwrap_or_else(|_| json!(1))
}

/// Returns an enum value that equals the name of another field, except for case: the value of a
/// discriminator that selects a member.
fn value_with_member(schema: &Value, property: &Value, variant: usize) -> Option<Value> {
    if variant > 0 || property.get("default").is_some() {
        return None;
    }
    let values = property.get("enum")?.as_array()?;
    let has_member = |value: &&Value| {
        let value = value.as_str().unwrap_or_default();
        let mut names = properties(schema)
            .into_iter()
            .flat_map(|names| names.keys());
        names.any(|name| name.eq_ignore_ascii_case(value))
    };
    values.iter().find(has_member).cloned()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::small_value;

    /// Checks the first two variants of schemas.
    fn check(cases: impl IntoIterator<Item = (Value, Value, Value)>) {
        for (schema, first, second) in cases {
            assert_eq!(small_value(&schema, 0), first, "{schema}");
            assert_eq!(small_value(&schema, 1), second, "{schema}");
        }
    }

    #[test]
    fn scalars_are_small_and_variants_differ() {
        check([
            (json!({"type": "integer"}), json!(1), json!(2)),
            (
                json!({"type": "integer", "minimum": 10}),
                json!(10),
                json!(11),
            ),
            (
                json!({"type": "integer", "maximum": -3}),
                json!(-3),
                json!(-4),
            ),
            (
                json!({"type": "integer", "multipleOf": 4, "minimum": 5}),
                json!(8),
                json!(12),
            ),
            (
                json!({"type": "integer", "minimum": 3, "exclusiveMinimum": true}),
                json!(4),
                json!(5),
            ),
            (
                json!({"type": "number", "maximum": 0.5}),
                json!(0),
                json!(-1),
            ),
            (json!({"type": "integer", "default": 7}), json!(7), json!(2)),
            (
                json!({"type": "string"}),
                json!("example"),
                json!("example-2"),
            ),
            (
                json!({"type": "string", "enum": ["", "a", "b"]}),
                json!("a"),
                json!("b"),
            ),
            (json!({"type": "boolean"}), json!(false), json!(true)),
            (
                json!({"x-kubernetes-int-or-string": true}),
                json!(1),
                json!(2),
            ),
        ]);
    }

    #[test]
    fn objects_and_lists_have_what_is_required() {
        check([
            (
                json!({"type": "array", "items": {"type": "string"}}),
                json!([]),
                json!([]),
            ),
            (
                json!({"type": "array", "minItems": 2, "items": {"type": "integer"}}),
                json!([1, 2]),
                json!([2, 3]),
            ),
            (
                json!({"type": "object", "required": ["a"], "properties": {"a": {"type": "integer"}, "b": {"type": "string"}}}),
                json!({"a": 1}),
                json!({"a": 2}),
            ),
            (
                json!({"type": "object", "required": ["type"], "properties": {
                    "type": {"type": "string", "enum": ["None", "S3"]}, "s3": {"type": "object"},
                }}),
                json!({"type": "S3"}),
                json!({"type": "S3"}),
            ),
            (
                json!({"type": "object", "minProperties": 1, "additionalProperties": {"type": "string"}}),
                json!({"example": "example"}),
                json!({"example": "example-2"}),
            ),
        ]);
    }

    #[test]
    fn nested_lists_with_many_items_are_bounded() {
        let mut schema = json!({"type": "string"});
        for _ in 0..6 {
            schema = json!({"type": "array", "minItems": 100, "items": schema});
        }
        assert!(small_value(&schema, 0).to_string().len() < 1_000_000);
        let mut schema = json!({"type": "string"});
        for _ in 0..6 {
            schema =
                json!({"type": "object", "minProperties": 100, "additionalProperties": schema});
        }
        assert!(small_value(&schema, 0).to_string().len() < 1_000_000);
        let text = json!({"type": "string", "minLength": 9_000});
        let texts = json!({"type": "array", "minItems": 100, "items": text});
        let schema = json!({"type": "array", "minItems": 100, "items": texts});
        assert!(small_value(&schema, 0).to_string().len() < 200_000);
    }
}
