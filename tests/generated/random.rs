//! Tests with random objects that are similar to the samples: values at bounds, other
//! discriminators, additional and removed fields.
//!
//! Both CRDs must have the same verdict. Objects that they accept are read and written back, and
//! their unions are valid.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use union_random::Random;

use crate::objects::{kinds_of, object_with_all_fields, sample_objects, with_floats};
use crate::registry::{Kind, kinds};
use crate::verdicts::{CompiledSchemas, Tally};

/// The number of random objects for each sample.
const OBJECTS_PER_SAMPLE: usize = 12;

#[test]
fn random_objects_have_equal_results_and_are_readable() {
    let kinds = kinds();
    let mut random = Random::new(20);
    let mut compiled_schemas = CompiledSchemas::default();
    let mut schemas = BTreeMap::new();
    let (mut creates, mut updates) = (Tally::default(), Tally::default());
    let mut read_count = 0;
    let kinds_of_types = kinds.iter().filter(|kind| kind.module == "types");
    let objects_with_all_fields = kinds_of_types.map(|kind| {
        (
            format!("every field of {}", kind.kind),
            object_with_all_fields(kind),
        )
    });
    for (file, sample) in sample_objects().into_iter().chain(objects_with_all_fields) {
        let Some(kind) = kinds_of(&sample, &kinds).next() else {
            continue;
        };
        let key = (kind.api_version.clone(), kind.kind);
        let schema = schemas.entry(key).or_insert_with(|| kind.schema());
        let mut old = sample.clone();
        for _ in 0..OBJECTS_PER_SAMPLE {
            let mut new = if random.chance(30) { &sample } else { &old }.clone();
            for _ in 0..=random.below(3) {
                let field = *random.pick(&["spec", "spec", "spec", "status"]);
                if let Some(value) = new.get_mut(field) {
                    mutate(value, &schema["properties"][field], &mut random);
                }
            }
            for kind in kinds_of(&sample, &kinds) {
                let label = format!("{file}, {}: {new}", kind.module);
                let Some(schemas_of_kind) = compiled_schemas.of(kind) else {
                    continue;
                };
                let create_verdicts = schemas_of_kind.validate(&new, None);
                if let Ok(stored) = &create_verdicts[0] {
                    assert_readable(kind, stored, &label);
                    read_count += 1;
                }
                creates.add(&label, &create_verdicts, None);
                let update_verdicts = schemas_of_kind.validate(&new, Some(&old));
                updates.add(
                    &format!("{label}, an update of {old}"),
                    &update_verdicts,
                    Some(&create_verdicts),
                );
            }
            old = new;
        }
    }
    println!("{read_count} random objects were read and written back");
    creates.assert_no_differences("random creates");
    updates.assert_no_differences("random updates");
}

/// Checks that a type reads and writes back an object that the server stores, and that its unions
/// are valid.
fn assert_readable(kind: &Kind, stored: &Value, label: &str) {
    let written = (kind.round_trip)(stored).unwrap_or_else(|error| panic!("{label}: {error}"));
    let normalize = |value: &Value| with_floats(&without_nulls(value));
    assert_eq!(normalize(&written), normalize(stored), "{label}");
    let errors = kind.validate.map(|validate| validate(stored));
    assert_eq!(errors.unwrap_or_default(), "", "{label}");
}

/// Returns the value without nulls: an optional field that is null is written as absent.
fn without_nulls(value: &Value) -> Value {
    match value {
        Value::Object(fields) => {
            let fields = fields.iter().filter(|(_, value)| !value.is_null());
            let fields = fields.map(|(name, value)| (name.clone(), without_nulls(value)));
            Value::Object(fields.collect())
        }
        Value::Array(values) => values.iter().map(without_nulls).collect(),
        scalar => scalar.clone(),
    }
}

/// Changes one value.
fn mutate(value: &mut Value, schema: &Value, random: &mut Random) {
    match value {
        Value::Object(fields) if schema["properties"].is_object() => {
            mutate_fields(fields, schema, random);
        }
        Value::Object(fields) if schema["additionalProperties"].is_object() => {
            let child_schema = &schema["additionalProperties"];
            let present_names: Vec<String> = fields.keys().cloned().collect();
            if present_names.is_empty() || random.chance(20) {
                let name = *random.pick(&["a", "b", "c.d/e", ""]);
                fields.insert(name.to_owned(), random_value(child_schema, random, 3));
            } else {
                let name = random.pick(&present_names);
                mutate(&mut fields[name], child_schema, random);
            }
        }
        Value::Array(values) if schema["items"].is_object() => {
            let child_schema = &schema["items"];
            let index = random.below(values.len() + 1);
            match (values.get_mut(index), random.below(6)) {
                (Some(_), 0) => drop(values.remove(index)),
                (Some(value), 1) => {
                    let repeated_element = value.clone();
                    values.push(repeated_element);
                }
                (Some(value), _) => mutate(value, child_schema, random),
                (None, 0) => random.shuffle(values),
                (None, _) => values.push(random_value(child_schema, random, 3)),
            }
        }
        _ => *value = random_value(schema, random, 3),
    }
}

fn mutate_fields(fields: &mut Map<String, Value>, schema: &Value, random: &mut Random) {
    let field_schemas = schema["properties"].as_object().unwrap();
    let all_names: Vec<&String> = field_schemas.keys().collect();
    let present_names: Vec<&String> = all_names
        .iter()
        .filter(|name| fields.contains_key(**name))
        .copied()
        .collect();
    let enum_names: Vec<&String> = all_names
        .iter()
        .filter(|name| field_schemas[**name]["enum"].is_array())
        .copied()
        .collect();
    match random.below(10) {
        0 if !present_names.is_empty() => {
            fields.remove(*random.pick(&present_names));
        }
        1 if !all_names.is_empty() => {
            let name = *random.pick(&all_names);
            fields.insert(name.clone(), random_value(&field_schemas[name], random, 3));
        }
        // Changes the value of a possible discriminator, and in some cases also sets the field with
        // the name of the value.
        2 | 3 if !enum_names.is_empty() => {
            let name = *random.pick(&enum_names);
            let value = random_value(&field_schemas[name], random, 0);
            let is_member_of_value = |field: &&&String| {
                Some(&*field.to_lowercase()) == value.as_str().map(str::to_lowercase).as_deref()
            };
            if let Some(member) = all_names
                .iter()
                .find(is_member_of_value)
                .filter(|_| random.chance(60))
            {
                fields.insert(
                    (**member).clone(),
                    random_value(&field_schemas[*member], random, 3),
                );
            }
            fields.insert(name.clone(), value);
        }
        _ if !present_names.is_empty() => {
            let name = *random.pick(&present_names);
            mutate(&mut fields[name], &field_schemas[name], random);
        }
        _ => {}
    }
}

/// Returns a random value that is valid in most cases.
fn random_value(schema: &Value, random: &mut Random, depth: usize) -> Value {
    if schema["nullable"] == true && random.chance(10) {
        return Value::Null;
    }
    if let (Some(values), true) = (schema["enum"].as_array(), random.chance(95)) {
        return random.pick(values).clone();
    }
    if schema["x-kubernetes-int-or-string"] == true {
        // A quantity that is a number is written back as a string.
        let texts = [json!("1"), json!("100m"), json!("a")];
        let is_quantity = schema["pattern"].is_string();
        return if is_quantity || random.chance(50) {
            random.pick(&texts).clone()
        } else {
            json!(random.below(70_000))
        };
    }
    match schema["type"].as_str() {
        Some("object") => random_object(schema, random, depth),
        Some("array") => {
            let count = if depth == 0 { 0 } else { random.below(3) };
            (0..count)
                .map(|_| random_value(&schema["items"], random, depth.saturating_sub(1)))
                .collect()
        }
        Some("string") => random_string(schema, random),
        Some("boolean") => random.chance(50).into(),
        Some("integer") => {
            let bounds = ["minimum", "maximum"].map(|name| schema[name].as_i64());
            let values_near_bounds = bounds
                .into_iter()
                .flatten()
                .flat_map(|bound| [bound - 1, bound, bound + 1]);
            let values_near_bounds: Vec<i64> = values_near_bounds.chain([0, 1, 80]).collect();
            (*random.pick(&values_near_bounds)).into()
        }
        Some("number") => (*random.pick(&[0.5, 1.5, -2.0])).into(),
        _ => json!({ "any": [random.below(3)] }),
    }
}

fn random_object(schema: &Value, random: &mut Random, depth: usize) -> Value {
    let mut fields = Map::new();
    let required = schema["required"].as_array();
    for (name, child_schema) in schema["properties"].as_object().into_iter().flatten() {
        let is_required = required
            .into_iter()
            .flatten()
            .any(|required_name| required_name == name);
        let percent = match (is_required, depth) {
            (true, _) => 97,
            (false, 0) => 0,
            _ => 40,
        };
        if random.chance(percent) {
            let value = random_value(child_schema, random, depth.saturating_sub(1));
            fields.insert(name.clone(), value);
        }
    }
    let child_schema = &schema["additionalProperties"];
    if child_schema.is_object() && depth > 0 && random.chance(50) {
        fields.insert(
            "k".to_owned(),
            random_value(child_schema, random, depth - 1),
        );
    }
    Value::Object(fields)
}

fn random_string(schema: &Value, random: &mut Random) -> Value {
    match schema["format"].as_str() {
        Some("date-time") => return "2024-01-01T00:00:00Z".into(),
        Some("byte") => return "YQ==".into(),
        _ => {}
    }
    let lengths = ["minLength", "maxLength"].map(|name| schema[name].as_u64());
    let near_lengths = lengths.into_iter().flatten().filter(|length| *length < 300);
    let near_lengths =
        near_lengths.flat_map(|length| [length.saturating_sub(1), length, length + 1]);
    let strings_near_bounds =
        near_lengths.map(|length| "a".repeat(usize::try_from(length).unwrap()));
    let texts = ["a", "example.com", "/a", "Exact", "", "1h"].map(str::to_owned);
    let candidates: Vec<String> = strings_near_bounds.chain(texts).collect();
    random.pick(&candidates).clone().into()
}
