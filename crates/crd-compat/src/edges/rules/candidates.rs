//! Values for a place, those that its schema accepts first.

use std::collections::HashSet;

use k8s_cel::pattern::compile;
use serde_json::{Value, json};

use super::order::Comparison;
use super::solver::Solver;
use crate::bounds::OBJECT_BYTES;
use crate::sample::json_size::json_size;
use crate::sample::pattern::matching_strings;
use crate::sample::schema::{properties, property_schema};
use crate::sample::small_value::{small_filled_value, small_value};
use crate::sample::strings::small_strings;

/// The maximum number of items and entries of a value with a wanted size.
const ITEMS: usize = 1_000;

/// The number of mentioned values that lists have.
const LISTED: usize = 4;

impl Solver {
    /// Returns distinct values, those that a schema accepts first.
    pub(super) fn sorted_by_fit(&self, schema: &Value, mut values: Vec<Value>) -> Vec<Value> {
        let mut seen = HashSet::new();
        values.retain(|value| seen.insert(value.to_string()));
        values.sort_by_cached_key(|value| !self.fits(schema, value));
        values
    }

    /// Returns true if the keywords for scalars of a schema accept a value.
    fn fits(&self, schema: &Value, value: &Value) -> bool {
        if let Some(values) = schema.get("enum").and_then(Value::as_array) {
            return values.contains(value);
        }
        let bound = |keyword: &str| schema.get(keyword).and_then(Value::as_f64);
        match value {
            Value::String(string) => {
                let length = |keyword: &str| schema.get(keyword).and_then(Value::as_u64);
                let count = u64::try_from(string.chars().count()).unwrap_or(u64::MAX);
                let pattern = schema.get("pattern").and_then(Value::as_str);
                schema.get("type").is_none_or(|kind| kind == "string")
                    && length("minLength").is_none_or(|least| count >= least)
                    && length("maxLength").is_none_or(|most| count <= most)
                    && pattern.is_none_or(|pattern| self.matches(pattern, string))
            }
            Value::Number(number) => {
                let number = number.as_f64().unwrap_or_default();
                bound("minimum").is_none_or(|least| number >= least)
                    && bound("maximum").is_none_or(|most| number <= most)
            }
            Value::Null => schema.get("nullable") == Some(&json!(true)),
            _ => true,
        }
    }

    /// Returns true if a string has a match of a pattern.
    pub(super) fn matches(&self, pattern: &str, string: &str) -> bool {
        let mut patterns = self.patterns.borrow_mut();
        let test = patterns.entry(pattern.to_owned()).or_insert_with(|| {
            let regex = compile(pattern).ok()?;
            Some(Box::new(move |string: &str| regex.is_match(string)))
        });
        test.as_ref().is_some_and(|test| test(string))
    }

    /// Returns values of a schema, also the mentioned values that have its type.
    pub(super) fn values_of(&self, schema: &Value, mentioned: &[Value]) -> Vec<Value> {
        let kind = schema.get("type").and_then(Value::as_str);
        let enum_values = schema.get("enum").and_then(Value::as_array);
        let mut values: Vec<Value> = enum_values.cloned().unwrap_or_default();
        match kind {
            Some("boolean") => values.extend([json!(true), json!(false)]),
            Some("array") => values.extend(self.lists_of(schema, mentioned)),
            Some("integer" | "number") => {
                for number in mentioned.iter().filter(|value| value.is_number()) {
                    values.push(number.clone());
                    values.extend(Comparison::NotEqual.numbers(number));
                }
                if kind == Some("integer") {
                    values.retain(|value| value.is_i64() || value.is_u64());
                }
                values.extend((0..3).map(|variant| small_value(schema, variant)));
            }
            Some("object") => {
                values.push(small_filled_value(schema, 0));
                let keys = mentioned.iter().filter_map(Value::as_str);
                for key in keys.take(LISTED) {
                    let entry = property_schema(schema, key);
                    values.extend(entry.map(|entry| json!({key: small_value(entry, 0)})));
                }
            }
            _ => {
                values.extend(mentioned.iter().filter(|it| it.is_string()).cloned());
                // A rule may convert the string to a number that it mentions.
                for number in mentioned.iter().filter(|value| value.is_i64()) {
                    let near = [Comparison::Equal, Comparison::NotEqual];
                    let near = near
                        .iter()
                        .flat_map(|it| it.numbers(number).into_iter().take(2));
                    values.extend(near.map(|number| json!(number.to_string())));
                }
                values.extend(small_strings(schema).into_iter().take(3).map(Value::from));
                if kind.is_none() {
                    values.extend(mentioned.iter().filter(|it| it.is_number()).cloned());
                    values.push(json!(1));
                }
            }
        }
        self.sorted_by_fit(schema, values)
    }

    /// Returns short lists: with equal items, with items in both orders, and with mentioned items.
    fn lists_of(&self, schema: &Value, mentioned: &[Value]) -> Vec<Value> {
        let Some(items) = schema.get("items") else {
            return vec![json!([])];
        };
        let [a, b, c] = [0, 1, 2].map(|variant| small_value(items, variant));
        let mut lists = vec![
            json!([]),
            json!([a]),
            json!([a, b]),
            json!([b, a]),
            json!([a, a]),
            json!([a, b, c]),
        ];
        let is_scalar = items.get("properties").is_none() && items.get("items").is_none();
        if is_scalar {
            let values = self.values_of(items, mentioned);
            let values = values.get(..LISTED.min(values.len())).unwrap_or_default();
            for value in values {
                lists.extend([json!([value]), json!([value, value]), json!([a, value])]);
            }
            lists.push(json!(values));
            lists.push(values.iter().rev().cloned().collect());
        }
        lists
    }
}

/// Returns a value of a size, which has as much as possible of the current value; `None` if no such
/// value is known.
pub(super) fn value_of_size(schema: &Value, current: Option<&Value>, size: usize) -> Option<Value> {
    match schema.get("type").and_then(Value::as_str)? {
        "string" if size <= OBJECT_BYTES => {
            let pattern = schema.get("pattern").and_then(Value::as_str);
            let matching = pattern.map(|pattern| matching_strings(pattern, size, size));
            let matching = matching.and_then(|strings| strings.into_iter().next());
            Some(json!(matching.unwrap_or_else(|| "a".repeat(size))))
        }
        "array" if size <= ITEMS => {
            let items = schema.get("items")?;
            require_small(&small_value(items, 0), size)?;
            let current = current.and_then(Value::as_array);
            let mut list = current.cloned().unwrap_or_default();
            list.truncate(size);
            while list.len() < size {
                list.push(small_value(items, list.len()));
            }
            Some(Value::Array(list))
        }
        "object" if size <= ITEMS => {
            let current = current.and_then(Value::as_object);
            let mut fields = current.cloned().unwrap_or_default();
            let entry = schema.get("additionalProperties");
            let entry = entry.map(|entry| small_value(entry, 0));
            if let Some(entry) = &entry {
                require_small(entry, size)?;
            }
            while fields.len() > size {
                let name = fields.keys().next_back()?.clone();
                fields.remove(&name);
            }
            for (name, schema) in properties(schema).into_iter().flatten() {
                if fields.len() < size && !fields.contains_key(name) {
                    fields.insert(name.clone(), small_filled_value(schema, 0));
                }
            }
            let mut number = 0;
            while fields.len() < size {
                number += 1;
                let key = format!("example-{number}");
                fields.entry(key).or_insert(entry.clone()?);
            }
            Some(Value::Object(fields))
        }
        _ => None,
    }
}

/// Returns `None` if a number of equal values are larger than an object that is tried.
fn require_small(value: &Value, count: usize) -> Option<()> {
    json_size(value, OBJECT_BYTES / count.max(1)).map(drop)
}
