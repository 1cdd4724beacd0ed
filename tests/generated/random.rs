//! Tests with random objects that are similar to the samples: values at bounds, other
//! discriminators, additional and removed fields.
//!
//! Both CRDs must have the same verdict. Objects that they accept are read and written back, and
//! their unions are valid.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use union_random::Random;

use crate::objects::{all, kinds_of, whole, with_floats};
use crate::registry::{Kind, kinds};
use crate::verdicts::{Court, Tally};

/// The number of random objects for each sample.
const EACH: usize = 12;

#[test]
fn random_objects_have_equal_results_and_are_readable() {
    let kinds = kinds();
    let mut random = Random::new(20);
    let mut court = Court::default();
    let mut schemas = BTreeMap::new();
    let (mut creates, mut updates) = (Tally::default(), Tally::default());
    let mut read = 0;
    let of_types = kinds.iter().filter(|kind| kind.module == "types");
    let whole = of_types.map(|kind| (format!("every field of {}", kind.kind), whole(kind)));
    for (file, sample) in all().into_iter().chain(whole) {
        let Some(kind) = kinds_of(&sample, &kinds).next() else {
            continue;
        };
        let key = (kind.api_version.clone(), kind.kind);
        let schema = schemas.entry(key).or_insert_with(|| kind.schema());
        let mut old = sample.clone();
        for _ in 0..EACH {
            let mut new = if random.chance(30) { &sample } else { &old }.clone();
            for _ in 0..=random.below(3) {
                let field = *random.pick(&["spec", "spec", "spec", "status"]);
                if let Some(value) = new.get_mut(field) {
                    change(value, &schema["properties"][field], &mut random);
                }
            }
            for kind in kinds_of(&sample, &kinds) {
                let what = format!("{file}, {}: {new}", kind.module);
                let Some(judges) = court.of(kind) else {
                    continue;
                };
                let create = judges.judge(&new, None);
                if let Ok(stored) = &create[0] {
                    reads(kind, stored, &what);
                    read += 1;
                }
                creates.add(&what, &create, None);
                let update = judges.judge(&new, Some(&old));
                updates.add(
                    &format!("{what}, an update of {old}"),
                    &update,
                    Some(&create),
                );
            }
            old = new;
        }
    }
    println!("{read} random objects were read and written back");
    creates.settle("random creates");
    updates.settle("random updates");
}

/// Checks that a type reads and writes back an object that the server stores, and that its unions
/// are valid.
fn reads(kind: &Kind, stored: &Value, what: &str) {
    let written = (kind.round_trip)(stored).unwrap_or_else(|error| panic!("{what}: {error}"));
    let plain = |value: &Value| with_floats(&without_nulls(value));
    assert_eq!(plain(&written), plain(stored), "{what}");
    let said = kind.validate.map(|validate| validate(stored));
    assert_eq!(said.unwrap_or_default(), "", "{what}");
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
        other => other.clone(),
    }
}

/// Changes one value.
fn change(value: &mut Value, schema: &Value, random: &mut Random) {
    match value {
        Value::Object(fields) if schema["properties"].is_object() => {
            change_fields(fields, schema, random);
        }
        Value::Object(fields) if schema["additionalProperties"].is_object() => {
            let inner = &schema["additionalProperties"];
            let present: Vec<String> = fields.keys().cloned().collect();
            if present.is_empty() || random.chance(20) {
                let name = *random.pick(&["a", "b", "c.d/e", ""]);
                fields.insert(name.to_owned(), any_of(inner, random, 3));
            } else {
                let name = random.pick(&present);
                change(&mut fields[name], inner, random);
            }
        }
        Value::Array(values) if schema["items"].is_object() => {
            let inner = &schema["items"];
            let at = random.below(values.len() + 1);
            match (values.get_mut(at), random.below(6)) {
                (Some(_), 0) => drop(values.remove(at)),
                (Some(value), 1) => {
                    let twice = value.clone();
                    values.push(twice);
                }
                (Some(value), _) => change(value, inner, random),
                (None, 0) => random.shuffle(values),
                (None, _) => values.push(any_of(inner, random, 3)),
            }
        }
        _ => *value = any_of(schema, random, 3),
    }
}

fn change_fields(fields: &mut Map<String, Value>, schema: &Value, random: &mut Random) {
    let known = schema["properties"].as_object().unwrap();
    let all: Vec<&String> = known.keys().collect();
    let present: Vec<&String> = all
        .iter()
        .filter(|name| fields.contains_key(**name))
        .copied()
        .collect();
    let switches: Vec<&String> = all
        .iter()
        .filter(|name| known[**name]["enum"].is_array())
        .copied()
        .collect();
    match random.below(10) {
        0 if !present.is_empty() => {
            fields.remove(*random.pick(&present));
        }
        1 if !all.is_empty() => {
            let name = *random.pick(&all);
            fields.insert(name.clone(), any_of(&known[name], random, 3));
        }
        // Changes the value of a possible discriminator, and in some cases also sets the field with
        // the name of the value.
        2 | 3 if !switches.is_empty() => {
            let name = *random.pick(&switches);
            let value = any_of(&known[name], random, 0);
            let of_value = |found: &&&String| {
                Some(&*found.to_lowercase()) == value.as_str().map(str::to_lowercase).as_deref()
            };
            if let Some(member) = all.iter().find(of_value).filter(|_| random.chance(60)) {
                fields.insert((**member).clone(), any_of(&known[*member], random, 3));
            }
            fields.insert(name.clone(), value);
        }
        _ if !present.is_empty() => {
            let name = *random.pick(&present);
            change(&mut fields[name], &known[name], random);
        }
        _ => {}
    }
}

/// Returns a random value that is valid in most cases.
fn any_of(schema: &Value, random: &mut Random, depth: usize) -> Value {
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
        Some("object") => object_of(schema, random, depth),
        Some("array") => {
            let count = if depth == 0 { 0 } else { random.below(3) };
            (0..count)
                .map(|_| any_of(&schema["items"], random, depth.saturating_sub(1)))
                .collect()
        }
        Some("string") => text_of(schema, random),
        Some("boolean") => random.chance(50).into(),
        Some("integer") => {
            let bounds = ["minimum", "maximum"].map(|name| schema[name].as_i64());
            let near = bounds
                .into_iter()
                .flatten()
                .flat_map(|bound| [bound - 1, bound, bound + 1]);
            let near: Vec<i64> = near.chain([0, 1, 80]).collect();
            (*random.pick(&near)).into()
        }
        Some("number") => (*random.pick(&[0.5, 1.5, -2.0])).into(),
        _ => json!({ "any": [random.below(3)] }),
    }
}

fn object_of(schema: &Value, random: &mut Random, depth: usize) -> Value {
    let mut fields = Map::new();
    let required = schema["required"].as_array();
    for (name, inner) in schema["properties"].as_object().into_iter().flatten() {
        let is_required = required.into_iter().flatten().any(|found| found == name);
        let chance = match (is_required, depth) {
            (true, _) => 97,
            (false, 0) => 0,
            _ => 40,
        };
        if random.chance(chance) {
            let value = any_of(inner, random, depth.saturating_sub(1));
            fields.insert(name.clone(), value);
        }
    }
    let inner = &schema["additionalProperties"];
    if inner.is_object() && depth > 0 && random.chance(50) {
        fields.insert("k".to_owned(), any_of(inner, random, depth - 1));
    }
    Value::Object(fields)
}

fn text_of(schema: &Value, random: &mut Random) -> Value {
    match schema["format"].as_str() {
        Some("date-time") => return "2024-01-01T00:00:00Z".into(),
        Some("byte") => return "YQ==".into(),
        _ => {}
    }
    let lengths = ["minLength", "maxLength"].map(|name| schema[name].as_u64());
    let near = lengths.into_iter().flatten().filter(|length| *length < 300);
    let near = near.flat_map(|length| [length.saturating_sub(1), length, length + 1]);
    let near = near.map(|length| "a".repeat(usize::try_from(length).unwrap()));
    let texts = ["a", "example.com", "/a", "Exact", "", "1h"].map(str::to_owned);
    let all: Vec<String> = near.chain(texts).collect();
    random.pick(&all).clone().into()
}
