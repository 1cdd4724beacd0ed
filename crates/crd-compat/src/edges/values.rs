//! Values at the edges of the keywords of a schema.

use serde_json::{Number, Value, json};

use super::fields::add_edge_objects;
use super::strings::{add_distinguishing_strings, add_edge_strings};
use super::value_set::Values;
use crate::bounds::OBJECT_BYTES;
use crate::sample::dictionary::SearchDictionary;
use crate::sample::json_size::json_size;
use crate::sample::schema::branches;
use crate::sample::small_value::{small_filled_value, small_value};

/// The maximum number of values for one schema.
const VALUES: usize = 128;

/// The maximum nesting of combinators whose values are collected.
const COMBINATOR_LEVELS: usize = 3;

/// The maximum number of items of a list at an edge of its length.
const ITEMS: u64 = 1_000;

/// Returns at most [`VALUES`] values at the edges of schemas for the same value.
pub(crate) fn edge_values<'v>(schemas: impl IntoIterator<Item = &'v Value> + Clone) -> Values {
    let mut values = Values::new(VALUES);
    for schema in schemas.clone() {
        values.add(small_value(schema, 0));
        values.add(small_filled_value(schema, 0));
    }
    add_distinguishing_strings(schemas.clone(), &mut values);
    for schema in schemas {
        add_edges(schema, &mut values, 0);
    }
    values.extend([
        Value::Null,
        json!("unlisted"),
        json!(""),
        json!(1),
        json!(1.5),
        json!(true),
        json!({}),
        json!([]),
        json!({"unknown": 1}),
        json!([1, 1]),
        json!(["a", "a"]),
    ]);
    values
}

fn add_edges(schema: &Value, values: &mut Values, level: usize) {
    let list = |keyword: &str| schema.get(keyword).and_then(Value::as_array);
    values.extend(schema.get("default").cloned());
    for value in list("enum").into_iter().flatten() {
        values.add_with(|| Some(value.clone()));
    }
    values.extend((0..3).map(|variant| small_value(schema, variant)));
    add_numbers(schema, values);
    let kind = schema.get("type").and_then(Value::as_str);
    let has_rules = schema.get("x-kubernetes-validations").is_some();
    let is_scalar = |of: &str| kind == Some(of) || kind.is_none();
    if is_scalar("string") {
        add_edge_strings(schema, values);
    }
    if has_rules {
        add_mentioned(schema, kind, values);
    }
    if kind == Some("array") || schema.get("items").is_some() {
        add_lists(schema, values);
    }
    if kind == Some("object") || schema.get("properties").is_some() {
        add_edge_objects(schema, &small_value(schema, 0), values);
    }
    if level < COMBINATOR_LEVELS {
        for branch in branches(schema) {
            add_edges(&with_type_of(schema, branch), values, level + 1);
        }
    }
}

/// Returns the schema of a branch with the type and the items of the schema around it, so that
/// values have this type.
pub(crate) fn with_type_of(schema: &Value, branch: &Value) -> Value {
    let mut typed = branch.clone();
    if let Some(fields) = typed.as_object_mut() {
        for keyword in ["type", "items", "properties", "additionalProperties"] {
            if let Some(value) = schema.get(keyword) {
                let value_or_own = fields.entry(keyword);
                value_or_own.or_insert_with(|| value.clone());
            }
        }
    }
    typed
}

fn add_numbers(schema: &Value, values: &mut Values) {
    for keyword in ["minimum", "maximum", "multipleOf"] {
        let Some(Value::Number(number)) = schema.get(keyword) else {
            continue;
        };
        values.add(Value::Number(number.clone()));
        if let Some(number) = number.as_i64() {
            for number in [number.checked_sub(1), number.checked_add(1)] {
                values.extend(number.map(Value::from));
            }
            values.extend(number.checked_mul(2).map(Value::from));
        }
        if let Some(number) = number.as_f64() {
            let step = 0.5_f64.max(number.abs() * 1e-9);
            let numbers = [number - step, number + step, number * 3.0];
            let numbers = numbers.into_iter().filter_map(Number::from_f64);
            values.extend(numbers.map(Value::Number));
        }
    }
    let kind = schema.get("type").and_then(Value::as_str);
    let is_int_or_string = schema.get("x-kubernetes-int-or-string") == Some(&json!(true));
    if matches!(kind, Some("integer" | "number")) || is_int_or_string {
        values.extend([json!(0), json!(-1), json!(1), json!(100)]);
        values.extend([json!(2_147_483_647_i64), json!(2_147_483_648_i64)]);
        values.extend([json!(-2_147_483_649_i64), json!(1.5), json!(7)]);
    }
    if is_int_or_string {
        values.add(json!("1"));
    }
    if kind == Some("boolean") {
        values.extend([json!(true), json!(false)]);
    }
}

/// Adds values whose content or length a rule of the schema mentions.
fn add_mentioned(schema: &Value, kind: Option<&str>, values: &mut Values) {
    let dictionary = SearchDictionary::from_schema(schema);
    for value in &dictionary.values {
        values.add(value.clone());
        let length = value.as_u64().filter(|length| *length <= ITEMS);
        match (kind, length.and_then(|length| usize::try_from(length).ok())) {
            (Some("string"), Some(length)) => values.add(json!("a".repeat(length))),
            (Some("array"), Some(length)) => {
                if let Some(items) = schema.get("items") {
                    values.add_with(|| list_of(items, length));
                }
            }
            (Some("number"), _) => {
                let number = value
                    .as_f64()
                    .and_then(|number| Number::from_f64(number + 0.25));
                values.extend(number.map(Value::Number));
            }
            _ => {}
        }
        if let (Some("array"), Some(_)) = (kind, schema.get("items")) {
            values.add(json!([value]));
        }
        if let (Some("string"), Some(text)) = (kind, value.as_str()) {
            values.extend(
                [format!("{text}a"), format!("a{text}"), format!("a{text}a")].map(Value::String),
            );
        }
    }
}

/// Returns a list of distinct small items; `None` if the list would have more than
/// [`OBJECT_BYTES`].
fn list_of(items: &Value, length: usize) -> Option<Value> {
    let distinct_item = |index: usize| match items.get("type").and_then(Value::as_str) {
        Some("string")
            if items.get("enum").is_none() && items.get("pattern").is_none() && index > 7 =>
        {
            json!(format!("a{index}"))
        }
        _ => small_value(items, index),
    };
    let mut list = Vec::new();
    let mut left = OBJECT_BYTES;
    for index in 0..length {
        let item = distinct_item(index);
        left -= json_size(&item, left)?;
        list.push(item);
    }
    Some(Value::Array(list))
}

fn add_lists(schema: &Value, values: &mut Values) {
    let Some(items) = schema.get("items") else {
        return;
    };
    values.add(json!([]));
    for keyword in ["minItems", "maxItems"] {
        let Some(length) = schema.get(keyword).and_then(Value::as_u64) else {
            continue;
        };
        for length in [length.saturating_sub(1), length, length.saturating_add(1)] {
            match usize::try_from(length) {
                Ok(count) if length <= ITEMS + 1 => values.add_with(|| list_of(items, count)),
                _ => values.omit_large(),
            }
        }
    }
    values.add(json!([null]));
    add_lists_with(items, &small_filled_value(items, 0), values);
}

/// Adds lists with an item, also with other items that differ in one field.
pub(crate) fn add_lists_with(items: &Value, item: &Value, values: &mut Values) {
    let other_item = small_value(items, 1);
    values.add_with(|| Some(json!([item])));
    values.add_with(|| Some(json!([item, other_item])));
    values.add_with(|| Some(json!([item, item])));
    values.add_with(|| Some(json!([item, item, item])));
    // Items that differ only in fields that are not keys.
    let names = items.get("properties").and_then(Value::as_object);
    for (name, property) in names.into_iter().flatten().take(8) {
        for variant in [0, 1] {
            let value = small_filled_value(property, variant);
            let mut changed = item.clone();
            if let Some(fields) = changed.as_object_mut()
                && fields
                    .insert(name.clone(), value)
                    .is_none_or(|old| Some(&old) != changed.get(name))
            {
                values.add_with(|| Some(json!([item, changed])));
            }
        }
    }
}
