//! Random pairs of schemas: each finding is true, and pairs that random objects tell apart have
//! findings.

use std::collections::BTreeMap;

use crd_compat::compare_crds;
use serde_json::{Map, Value, json};
use union_random::Random;

use crate::object::Generator;
use crate::schema::{FORMATS, PATTERNS, Writer};
use crate::support::{Server, crd_with};

/// The number of pairs of a test run. `CRD_COMPAT_PAIRS` sets another number.
const PAIRS: usize = 300;

/// The number of random objects for a pair. `CRD_COMPAT_OBJECTS` sets another number.
const OBJECTS: usize = 200;

/// The maximum number of pairs, of 1,000, that random objects tell apart and that have no finding.
/// Such pairs need an object around the difference that the search does not find.
const MOST_MISSED: usize = 10;

fn number(variable: &str, default: usize) -> usize {
    let number = std::env::var(variable).ok();
    number.map_or(default, |number| number.parse().expect("a number"))
}

/// Returns the JSON pointers of the schemas in a schema, without those in combinators.
fn places(schema: &Value, pointer: &str, found: &mut Vec<String>) {
    found.push(pointer.to_owned());
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        let name = name.replace('~', "~0").replace('/', "~1");
        places(property, &format!("{pointer}/properties/{name}"), found);
    }
    for keyword in ["items", "additionalProperties"] {
        if schema[keyword].is_object() {
            places(&schema[keyword], &format!("{pointer}/{keyword}"), found);
        }
    }
}

/// Changes one keyword of a schema. Returns the name of the change.
#[expect(clippy::too_many_lines, reason = "a table of changes")]
fn change_keyword(random: &mut Random, root: &mut Value) -> Option<String> {
    let mut pointers = Vec::new();
    places(root, "", &mut pointers);
    let pointer = random.pick(&pointers).clone();
    let donor = Writer {
        random,
        with_rules: true,
    }
    .root(false);
    let mut donor_pointers = Vec::new();
    places(&donor, "", &mut donor_pointers);
    let schema = root.pointer_mut(&pointer)?.as_object_mut()?;
    let kind = schema
        .get("type")
        .and_then(Value::as_str)
        .unwrap_or("")
        .to_owned();
    let small = random.below(6);
    let (keyword, value): (&str, Value) = match random.below(26) {
        0 => ("minLength", json!(small)),
        1 => ("maxLength", json!(1 + 2 * small)),
        2 => ("pattern", json!(random.pick(&PATTERNS).0)),
        3 => ("format", json!(*random.pick(&FORMATS))),
        4 => ("minimum", json!(small)),
        5 => ("maximum", json!(small)),
        6 => ("multipleOf", json!(1 + small)),
        7 => ("minItems", json!(small)),
        8 => ("maxItems", json!(small)),
        9 => ("minProperties", json!(small)),
        10 => ("maxProperties", json!(small)),
        11 => ("nullable", json!(true)),
        12 => (
            "enum",
            json!(random.subset(&[json!("A"), json!("abc"), json!(1), json!(2)], 60)),
        ),
        13 => ("x-kubernetes-preserve-unknown-fields", json!(true)),
        14 => (
            "type",
            json!(*random.pick(&["string", "integer", "number", "boolean", "object", "array"])),
        ),
        15 => (
            "x-kubernetes-list-type",
            json!(*random.pick(&["set", "atomic"])),
        ),
        16 => (
            "x-kubernetes-map-type",
            json!(*random.pick(&["atomic", "granular"])),
        ),
        17 => {
            let names: Vec<Value> = names(schema).into_iter().map(Value::from).collect();
            ("required", json!(random.subset(&names, 50)))
        }
        18 => {
            let names = names(schema);
            let name = names.get(random.below(names.len().max(1)))?;
            schema.get_mut("properties")?.as_object_mut()?.remove(name);
            return Some("properties".to_owned());
        }
        19 => {
            let pointer: &String = random.pick(&donor_pointers);
            let added = donor.pointer(pointer)?.clone();
            let properties = schema.entry("properties").or_insert_with(|| json!({}));
            let name = *random.pick(&["a", "b", "c", "new"]);
            properties.as_object_mut()?.insert(name.to_owned(), added);
            return Some("properties".to_owned());
        }
        20 => {
            let value = Generator::new(random, 0).value(&Value::Object(schema.clone()));
            ("default", value)
        }
        21 | 22 => {
            // A keyword of another schema with the same type.
            let same: Vec<&Value> = donor_pointers
                .iter()
                .filter_map(|pointer| donor.pointer(pointer))
                .filter(|other| other["type"].as_str().unwrap_or("") == kind)
                .collect();
            if same.is_empty() {
                return None;
            }
            let other = random.pick(&same).as_object()?;
            let keywords: Vec<&String> = other.keys().collect();
            if keywords.is_empty() {
                return None;
            }
            let keyword = (*random.pick(&keywords)).clone();
            schema.insert(keyword.clone(), other[&keyword].clone());
            return Some(keyword);
        }
        _ => {
            let keywords: Vec<String> = schema.keys().cloned().collect();
            if keywords.is_empty() {
                return None;
            }
            let keyword = random.pick(&keywords).clone();
            schema.remove(&keyword);
            return Some(keyword);
        }
    };
    schema.insert(keyword.to_owned(), value);
    Some(keyword.to_owned())
}

fn names(schema: &Map<String, Value>) -> Vec<String> {
    crate::schema::names(schema)
}

/// Returns a pair of CRDs that a server accepts, and the changed keywords.
fn random_pair(random: &mut Random) -> Option<([Value; 2], String)> {
    let has_status = random.chance(40);
    let old = Writer {
        random,
        with_rules: true,
    }
    .root(has_status);
    let mut new = old.clone();
    let mut changes = change_keyword(random, &mut new)?;
    if random.chance(40) {
        changes = format!("{changes}+{}", change_keyword(random, &mut new)?);
    }
    let crds = [&old, &new].map(|schema| crd_with(schema, has_status));
    (old != new).then_some((crds, changes))
}

#[test]
#[expect(
    clippy::too_many_lines,
    reason = "one loop over pairs, which counts what it finds"
)]
fn findings_are_true_and_few_differences_are_missed() {
    let pair_count = number("CRD_COMPAT_PAIRS", PAIRS);
    let object_count = number("CRD_COMPAT_OBJECTS", OBJECTS);
    let mut random = Random::new(u64::try_from(number("CRD_COMPAT_SEED", 47)).unwrap());
    let (mut pairs, mut findings, mut told_apart) = (0, 0, 0);
    let mut missed: BTreeMap<String, usize> = BTreeMap::new();
    while pairs < pair_count {
        let Some((crds, changes)) = random_pair(&mut random) else {
            continue;
        };
        let [Some(old), Some(new)] = crds.each_ref().map(Server::new) else {
            continue;
        };
        pairs += 1;
        let report = compare_crds(&crds[0], &crds[1]).unwrap();
        for finding in report.all_findings() {
            let Some(proof) = &finding.proof else {
                continue;
            };
            findings += 1;
            let answers = match &proof.replaced {
                None => {
                    assert!(proof.object.is_object(), "{finding} {crds:#?}");
                    [&old, &new].map(|server| server.create(&proof.object))
                }
                Some(replaced) => [&old, &new].map(|server| {
                    let accepts = server.replaces(replaced, &proof.object);
                    accepts.then(|| json!(accepts))
                }),
            };
            let claimed = [&proof.before, &proof.after].map(|answer| !answer.is_rejected());
            assert_eq!(
                answers.each_ref().map(Option::is_some),
                claimed,
                "{finding} {crds:#?}"
            );
            if claimed == [true, true] && proof.replaced.is_none() {
                assert_ne!(answers[0], answers[1], "{finding}");
            }
        }
        let schemas = crds.each_ref().map(|crd| {
            crd.pointer("/spec/versions/0/schema/openAPIV3Schema")
                .unwrap()
        });
        let telling_object = (0..object_count).find_map(|number| {
            let wrong = [0, 4, 12, 30][number % 4];
            let schema = schemas[number / 4 % 2];
            let mut generator = Generator::new(&mut random, wrong);
            let mut object = generator.value(schema);
            if number % 3 == 0 {
                generator.mutate(schema, &mut object);
            }
            let object = object.is_object().then_some(object)?;
            (old.create(&object) != new.create(&object)).then_some(object)
        });
        if let Some(object) = telling_object {
            told_apart += 1;
            if report.all_findings().all(|finding| finding.proof.is_none()) {
                if std::env::var("CRD_COMPAT_SHOW").is_ok() {
                    println!(
                        "MISSED {changes}\nold {}\nnew {}\nobject {object}\n{:?} {:?}\n{report}",
                        schemas[0],
                        schemas[1],
                        old.create(&object),
                        new.create(&object),
                    );
                }
                *missed.entry(changes).or_default() += 1;
            }
        }
    }
    let missed_count: usize = missed.values().sum();
    println!(
        "{pairs} pairs, {findings} findings, {told_apart} told apart by random objects, {missed_count} missed: {missed:?}"
    );
    assert!(missed_count * 1000 <= MOST_MISSED * pairs, "{missed:?}");
    // The pairs are worth the time: many of them differ for objects.
    assert!(findings * 5 > pairs, "{findings} findings");
    assert!(told_apart * 8 > pairs, "{told_apart} pairs are told apart");
}
