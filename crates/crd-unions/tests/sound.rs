//! Whatever a server accepts, a union that was read accepts too: random objects, judged by the evaluator of whole custom resources.

use std::collections::BTreeMap;

use crd_unions::{Arity, Reading, Union};
use k8s_crd_validation::{ServerSettings, StructuralSchema};
use serde_json::{Map, Value, json};

/// A plain generator of numbers: the same objects every time.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) const fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(2).wrapping_add(0x9e37_79b9_7f4a_7c15))
    }

    pub(crate) const fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % most
    }

    fn one<'v, T>(&mut self, values: &'v [T]) -> &'v T {
        &values[self.below(values.len())]
    }
}

/// Whether a union accepts an object.
pub(crate) fn accepts(union: &Union, object: &Map<String, Value>) -> bool {
    let is_set = |name: &str| object.get(name).is_some_and(|value| !value.is_null());
    let set: Vec<&str> = union
        .members
        .iter()
        .map(|member| &*member.name)
        .filter(|name| is_set(name))
        .collect();
    let Some(discriminator) = &union.discriminator else {
        return match union.arity {
            Arity::ExactlyOne => set.len() == 1,
            _ => set.len() < 2,
        };
    };
    let value = object
        .get(&discriminator.name)
        .and_then(Value::as_str)
        .or(discriminator.default.as_deref());
    let follows = union.arity == Arity::AtMostOne;
    let Some(value) = value.filter(|value| !follows || !value.is_empty()) else {
        return !discriminator.required && (set.is_empty() || follows && set.len() == 1);
    };
    let member = union.members.iter().find(|member| member.value == value);
    match member {
        None => {
            let is_listed = discriminator
                .empty_members
                .iter()
                .any(|other| other == value);
            set.is_empty() && (is_listed || discriminator.open)
        }
        Some(member) => match &*set {
            [] => member.optional,
            [only] => *only == member.name,
            _ => false,
        },
    }
}

/// The literals in rules, by which texts are chosen.
fn literals(schema: &Value, found: &mut Vec<String>) {
    match schema {
        Value::Object(object) => {
            if let Some(rule) = object.get("rule").and_then(Value::as_str) {
                let parts = rule.split(['\'', '"']).skip(1).step_by(2);
                found.extend(parts.filter(|part| part.len() < 40).map(str::to_owned));
            }
            object.values().for_each(|value| literals(value, found));
        }
        Value::Array(list) => list.iter().for_each(|value| literals(value, found)),
        _ => {}
    }
}

/// An object or value that a schema may take: fields there or not, texts of the enum or the rules.
fn value(schema: &Value, texts: &[String], random: &mut Random, depth: usize) -> Value {
    if schema["nullable"] == true && random.below(6) == 0 {
        return Value::Null;
    }
    if let Some(values) = schema["enum"].as_array() {
        return random.one(values).clone();
    }
    match schema["type"].as_str() {
        Some("string") => match random.below(4) {
            0 if !texts.is_empty() => random.one(texts).clone().into(),
            1 if schema["minLength"].is_null() => "".into(),
            _ => "xyz".into(),
        },
        Some("boolean") => (random.below(2) == 0).into(),
        Some("integer" | "number") => {
            let least = schema["minimum"].as_i64().unwrap_or(0);
            (least + random.below(4) as i64).into()
        }
        Some("array") => {
            let least = schema["minItems"].as_u64().unwrap_or(0) as usize;
            let count = least + random.below(3);
            (0..count)
                .map(|_| value(&schema["items"], texts, random, depth + 1))
                .collect()
        }
        Some("object") => {
            let mut object = Map::new();
            let required = schema["required"].as_array().cloned().unwrap_or_default();
            // Few fields, or many, so that sparse objects are not rare.
            let rare = 1 + random.below(6);
            for (name, property) in schema["properties"].as_object().into_iter().flatten() {
                let is_required =
                    required.iter().any(|other| other == name) && random.below(20) > 0;
                if is_required || random.below(rare + 1) == 0 {
                    object.insert(name.clone(), value(property, texts, random, depth + 1));
                }
            }
            if schema["additionalProperties"].is_object() && random.below(2) == 0 {
                object.insert(
                    "k".to_owned(),
                    value(&schema["additionalProperties"], texts, random, depth + 1),
                );
            }
            Value::Object(object)
        }
        _ if schema["x-kubernetes-int-or-string"] == true => 1.into(),
        _ => json!({}),
    }
}

/// The values at a pointer through schemas.
fn at<'v>(whole: &'v Value, pointer: &str) -> Vec<&'v Value> {
    let mut found = vec![whole];
    let mut steps = pointer.split('/').skip(1);
    while let Some(step) = steps.next() {
        found = match step {
            "properties" => {
                let name = steps.next().unwrap_or_default();
                found
                    .into_iter()
                    .filter_map(|value| value.get(name))
                    .collect()
            }
            "items" => found
                .into_iter()
                .filter_map(Value::as_array)
                .flatten()
                .collect(),
            _ => found
                .into_iter()
                .filter_map(Value::as_object)
                .flat_map(Map::values)
                .collect(),
        };
    }
    found
}

/// What came out of judging objects.
#[derive(Default)]
pub(crate) struct Judged {
    pub(crate) objects: usize,
    pub(crate) accepted: usize,
    /// Objects that the server accepts and a union refuses.
    pub(crate) unsound: Vec<String>,
    /// Objects that all unions accept, and that the server refuses for its rules, where unions stand for all of them.
    pub(crate) inexact: Vec<String>,
}

/// Whether unions stand for all that rules say, at the place of the reading.
fn is_whole(reading: &Reading) -> bool {
    let stands = |rule: usize| {
        reading
            .unions
            .iter()
            .any(|union| union.stands_for.contains(&rule))
    };
    !reading.unions.is_empty()
        && reading
            .unions
            .iter()
            .all(|union| union.exact && union.is_sound())
        && (0..reading.rules.len()).all(stands)
}

/// A schema without the rules that its unions may stand for.
fn without_rules(schema: &Value) -> Value {
    let mut schema = schema.clone();
    if let Some(object) = schema.as_object_mut() {
        for keyword in [
            "x-kubernetes-validations",
            "oneOf",
            "anyOf",
            "allOf",
            "not",
            "minProperties",
            "maxProperties",
        ] {
            object.remove(keyword);
        }
    }
    schema
}

/// Judges random objects of a schema: those that the server accepts, each sound union has to accept.
pub(crate) fn judge(
    schema: &Value,
    pointer: &str,
    reading: &Reading,
    objects: usize,
    seed: u64,
) -> Judged {
    let whole = json!({"type": "object", "properties": {"spec": schema}});
    let compiled =
        StructuralSchema::compile(&whole).unwrap_or_else(|errors| panic!("{errors}\n{schema}"));
    let settings = ServerSettings::default();
    let mut texts = Vec::new();
    literals(schema, &mut texts);
    let mut random = Random::new(seed);
    let mut judged = Judged::default();
    let unions: Vec<&Union> = reading
        .unions
        .iter()
        .filter(|union| union.is_sound())
        .collect();
    // Only where all rules stand at the object itself.
    let freed = (pointer.is_empty() && is_whole(reading)).then(|| {
        let freed = json!({"type": "object", "properties": {"spec": without_rules(schema)}});
        StructuralSchema::compile(&freed).unwrap_or_else(|errors| panic!("{errors}"))
    });
    for _ in 0..objects {
        let mut object = json!({"spec": value(schema, &texts, &mut random, 0)});
        judged.objects += 1;
        let mut same = object.clone();
        if !compiled.create(&mut object, &settings).is_accepted() {
            let is_in_order = freed
                .as_ref()
                .is_some_and(|freed| freed.create(&mut same, &settings).is_accepted());
            let fields = same["spec"].as_object();
            if let Some(fields) = fields.filter(|_| is_in_order)
                && unions.iter().all(|union| accepts(union, fields))
            {
                judged.inexact.push(format!("{} is refused", same["spec"]));
            }
            continue;
        }
        judged.accepted += 1;
        for place in at(&object["spec"], pointer) {
            let Some(fields) = place.as_object() else {
                continue;
            };
            for union in &unions {
                if !accepts(union, fields) {
                    judged
                        .unsound
                        .push(format!("{} refuses {place}", union.to_json()));
                }
            }
        }
    }
    judged
}

/// How many objects are judged: `UNIONS_OBJECTS`, or few.
pub(crate) fn objects(few: usize) -> usize {
    let asked = std::env::var("UNIONS_OBJECTS").ok();
    asked.and_then(|asked| asked.parse().ok()).unwrap_or(few)
}

#[test]
fn no_union_of_a_real_crd_refuses_what_its_rules_accept() {
    let Some(cases) = crate::shared::cases() else {
        println!("shared cases: not there, nothing to judge");
        return;
    };
    let mut unsound = BTreeMap::new();
    let (mut objects_judged, mut accepted) = (0, 0);
    for (number, case) in cases.iter().enumerate() {
        let pointer = case["at"].as_str().unwrap();
        let reading = crd_unions::read_at(&case["schema"], pointer).unwrap();
        let judged = judge(
            &case["schema"],
            pointer,
            &reading,
            objects(2_000) / cases.len(),
            number as u64,
        );
        objects_judged += judged.objects;
        accepted += judged.accepted;
        if let Some(first) = judged.unsound.iter().chain(&judged.inexact).next() {
            unsound.insert(case["id"].to_string(), first.clone());
        }
    }
    println!(
        "{objects_judged} objects, {accepted} accepted, {} unsound or not exact",
        unsound.len()
    );
    assert_eq!(unsound, BTreeMap::new());
    assert!(
        accepted * 20 > objects_judged,
        "{accepted} of {objects_judged} accepted"
    );
}

#[test]
fn objects_that_real_rules_accept_are_accepted_by_unions() {
    for case in crate::shared::cases().into_iter().flatten() {
        let pointer = case["at"].as_str().unwrap();
        let reading = crd_unions::read_at(&case["schema"], pointer).unwrap();
        for accepted in case["accepted"].as_array().unwrap() {
            for place in at(accepted, pointer) {
                for union in reading.unions.iter().filter(|union| union.is_sound()) {
                    assert!(
                        accepts(union, place.as_object().unwrap()),
                        "{}: {} refuses {place}",
                        case["id"],
                        union.to_json()
                    );
                }
            }
        }
    }
}

#[test]
fn a_server_says_to_the_object_of_a_finding_what_the_finding_says() {
    let settings = ServerSettings::default();
    let mut judged = 0;
    for case in crate::shared::cases().into_iter().flatten() {
        let pointer = case["at"].as_str().unwrap();
        let reading = crd_unions::read_at(&case["schema"], pointer).unwrap();
        let schema = case["schema"].pointer(pointer).unwrap();
        let whole = json!({"type": "object", "properties": {"spec": schema}});
        let Ok(compiled) = StructuralSchema::compile(&whole) else {
            continue;
        };
        for finding in &reading.findings {
            let Some(object) = &finding.object else {
                continue;
            };
            judged += 1;
            let outcome = compiled.create(&mut json!({"spec": object}), &settings);
            assert_eq!(
                outcome.is_accepted(),
                finding.accepted,
                "{}: {} {object}: {:?}",
                case["id"],
                finding.to_json(),
                outcome.errors
            );
        }
    }
    println!("{judged} objects of findings");
}
