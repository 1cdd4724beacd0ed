//! Test that normalization makes the same changes to an object as to the part of the object that
//! `Unions::read_partial` reads.

use proptest::prelude::*;
use serde_json::{Map, Value, json};
use union_json::{SchemaSource, Unions};
use union_runtime::{RestoreUnaware, Settings};

use crate::read::choice;

/// Returns a schema with unions below every keyword that can contain them, and fields without
/// unions.
fn schema() -> Value {
    let keyed = |items: &Value| {
        let mut items = items.clone();
        items["properties"]["k"] = json!({"enum": ["x", "y"]});
        items["properties"]["l"] = json!({"enum": ["x"], "default": "x"});
        json!({
            "type": "array", "items": items,
            "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k", "l"],
        })
    };
    let holder =
        |field: Value| json!({"type": "object", "properties": {"holds": field, "other": {}}});
    json!({"type": "object", "properties": {
        "metadata": {"type": "object"},
        "spec": choice(),
        "by_keys": keyed(&holder(choice())),
        "by_more_keys": keyed(&holder(keyed(&choice()))),
        "list": {"type": "array", "items": choice()},
        "lists": {"type": "array", "items": {"type": "array", "items": choice()}},
        "by_name": {"type": "object", "additionalProperties": choice()},
        "by_other_names": {
            "type": "object", "properties": {"named": {}}, "additionalProperties": holder(choice()),
        },
        "either": {"allOf": [holder(choice())], "properties": {"more": {}}},
    }})
}

/// Generates values that fit a schema, and a few values that do not.
fn values(schema: &Value) -> BoxedStrategy<Value> {
    if let Some(values) = schema["enum"].as_array() {
        return proptest::sample::select(values.clone()).boxed();
    }
    let combined_properties = schema["allOf"][0]["properties"].as_object();
    let properties = schema["properties"].as_object();
    let all_properties = properties.into_iter().chain(combined_properties).flatten();
    let mut fields: Vec<(String, BoxedStrategy<Value>)> = all_properties
        .map(|(name, schema)| (name.clone(), values(schema)))
        .collect();
    let other_values = schema.get("additionalProperties");
    let other_values = other_values.map_or_else(|| Just(json!([1, {}])).boxed(), values);
    fields.extend(["a", "named", "stray"].map(|name| (name.to_owned(), other_values.clone())));
    let fields: Vec<_> = fields
        .into_iter()
        .map(|(name, value)| {
            let value = proptest::option::weighted(0.6, value);
            value.prop_map(move |value| Some((name.clone(), value?)))
        })
        .collect();
    let object = fields
        .prop_map(|fields| Value::Object(fields.into_iter().flatten().collect::<Map<_, _>>()));
    let valid_values = match schema["type"].as_str() {
        Some("array") => proptest::collection::vec(values(&schema["items"]), 0..3)
            .prop_map(Value::Array)
            .boxed(),
        _ => object.boxed(),
    };
    let invalid_values = [
        "null",
        "-1",
        "1",
        "1.5",
        "true",
        "\"é\\n\"",
        "{\"a\": [{}]}",
    ];
    let invalid_values =
        invalid_values.map(|text| serde_json::from_str::<Value>(text).expect("JSON"));
    prop_oneof![14 => valid_values, 1 => proptest::sample::select(invalid_values.to_vec())].boxed()
}

fn read_partial(unions: &Unions, whole: &Value) -> Value {
    let json = whole.to_string();
    let mut deserializer = serde_json::Deserializer::from_str(&json);
    let part = unions.read_partial(&mut deserializer).expect("valid JSON");
    deserializer.end().expect("the whole input was read");
    part
}

/// Returns true if all fields and elements of `part` are in `whole`, at the same paths.
fn is_contained_in(part: &Value, whole: &Value) -> bool {
    match (part, whole) {
        (Value::Object(part), Value::Object(whole)) => part.iter().all(|(name, value)| {
            let whole = whole.get(name);
            whole.is_some_and(|whole| is_contained_in(value, whole))
        }),
        (Value::Array(part), Value::Array(whole)) => {
            let same = part.len() == whole.len();
            part.is_empty()
                || same
                    && part
                        .iter()
                        .zip(whole)
                        .all(|(part, whole)| is_contained_in(part, whole))
        }
        (part, whole) => part == whole,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2_000) })]

    #[test]
    fn normalizing_a_partial_object_makes_the_same_changes(
        new in values(&schema()),
        old in proptest::option::of(values(&schema())),
        restore in proptest::sample::select(vec![RestoreUnaware::Off, RestoreUnaware::Required, RestoreUnaware::All]),
    ) {
        let unions = Unions::compile(SchemaSource::Schema(&schema())).expect("a schema");
        let settings = Settings::default().restore_unaware(restore);
        let (mut part, old_part) = (read_partial(&unions, &new), old.as_ref().map(|old| read_partial(&unions, old)));
        prop_assert!(is_contained_in(&part, &new), "{part} of {new}");

        let mut whole = new.clone();
        let changes = unions.normalize(&mut whole, old.as_ref(), &settings);
        let changes_of_part = unions.normalize(&mut part, old_part.as_ref(), &settings);
        prop_assert_eq!(changes, changes_of_part);
        prop_assert_eq!(read_partial(&unions, &whole), part);
    }
}
