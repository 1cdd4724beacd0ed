//! Tests of random lists and maps against the oracle, and of properties that all lists and maps
//! have.

use std::collections::BTreeMap;

use proptest::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use union_runtime::{Ratchet, Settings, Union};

use crate::unions::nested::answer::{RATCHETS, read, request};
use crate::unions::nested::pairs::{Pairing, expected_answer};
use crate::unions::nested::types::{Choice, Source};

/// An element with two unions, and two keys that may be absent.
#[derive(Union, Serialize, Deserialize, JsonSchema, Clone)]
#[schemars(transform = union_runtime::add_unions::<Item>)]
struct Item {
    #[union(key)]
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[union(key)]
    #[serde(skip_serializing_if = "Option::is_none")]
    port: Option<i64>,
    #[union(inline)]
    #[serde(flatten)]
    choice: Choice,
    #[union(inline)]
    #[serde(flatten)]
    source: Source,
}

#[derive(Union, Serialize, Deserialize, JsonSchema, Clone)]
#[serde(rename_all = "camelCase")]
#[schemars(transform = union_runtime::add_unions::<Collections>)]
struct Collections {
    #[union(nested, list_map_keys("name"))]
    by_name: Vec<Item>,
    #[union(nested, list_map_keys("name", "port"))]
    by_both: Vec<Item>,
    #[union(nested)]
    map: BTreeMap<String, Item>,
    #[union(nested)]
    plain: Vec<Item>,
}

const FIELDS: [(&str, Pairing); 4] = [
    ("byName", Pairing::ByKeys(&["name"])),
    ("byBoth", Pairing::ByKeys(&["name", "port"])),
    ("map", Pairing::ByName),
    ("plain", Pairing::Never),
];

/// Generates elements with few names and few values, so that elements are often correlated and
/// often equal.
fn item() -> impl Strategy<Value = Value> {
    let name = prop_oneof![
        Just(None),
        Just(Some("a")),
        Just(Some("b")),
        Just(Some("c"))
    ];
    let port = prop_oneof![Just(None), Just(Some(1)), Just(Some(2))];
    let kind = prop_oneof![Just("Nothing"), Just("Alpha"), Just("Beta")];
    let member = || prop_oneof![2 => Just(None), 2 => Just(Some(1)), 1 => Just(Some(2))];
    let members = [member(), member(), member(), member()];
    (name, port, kind, members).prop_map(|(name, port, kind, members)| {
        let mut item = Map::new();
        if let Some(name) = name {
            item.insert("name".into(), name.into());
        }
        if let Some(port) = port {
            item.insert("port".into(), port.into());
        }
        item.insert("kind".into(), kind.into());
        for (field, value) in ["alpha", "beta", "hostPath", "emptyDir"]
            .iter()
            .zip(members)
        {
            if let Some(value) = value {
                item.insert((*field).into(), value.into());
            }
        }
        Value::Object(item)
    })
}

fn collections() -> impl Strategy<Value = Value> {
    let list = || proptest::collection::vec(item(), 0..6);
    let map = proptest::collection::btree_map("[ab.]{0,2}", item(), 0..4);
    (list(), list(), map, list()).prop_map(|(by_name, by_both, map, plain)| {
        json!({ "byName": by_name, "byBoth": by_both, "map": map, "plain": plain })
    })
}

/// Generates old and new collections. The new object is often the old object with elements
/// moved, edited, repeated or added.
fn old_and_new() -> impl Strategy<Value = (Value, Value)> {
    let edits = proptest::collection::vec((0..4_usize, any::<u8>(), any::<u8>(), item()), 0..6);
    prop_oneof![
        (collections(), collections()),
        (collections(), edits).prop_map(|(old, edits)| {
            let mut new = old.clone();
            for (field_index, from, to, item) in edits {
                edit(
                    &mut new[FIELDS[field_index].0],
                    from.into(),
                    to.into(),
                    item,
                );
            }
            (old, new)
        }),
    ]
}

/// Edits a list or a map with `item`. In a list, `selector` decides whether `item` is inserted, two
/// elements are swapped, or the fields of an element change.
fn edit(elements: &mut Value, selector: usize, target: usize, item: Value) {
    let Value::Array(elements) = elements else {
        elements["a"] = item;
        return;
    };
    let count = elements.len();
    if count == 0 || selector < 80 {
        elements.insert(target % (count + 1), item);
    } else if selector < 160 {
        elements.swap(selector % count, target % count);
    } else {
        let edited = &mut elements[target % count];
        for field in ["kind", "alpha", "hostPath"] {
            match item.get(field) {
                Some(value) => edited[field] = value.clone(),
                None => drop(edited.as_object_mut().map(|edited| edited.remove(field))),
            }
        }
    }
}

/// Returns a configuration with many cases, because the cases are small.
fn config() -> ProptestConfig {
    ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(600)
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn updates_of_random_lists_match_the_oracle((old, new) in old_and_new()) {
        for ratchet in RATCHETS {
            let settings = Settings::default().ratchet(ratchet);
            let mut result = request::<Collections>(Some(&old), &new, settings);
            result.error_lines.clear();
            prop_assert_eq!(result, expected_answer(&FIELDS, Some(&old), &new, ratchet));
        }
    }

    #[test]
    fn creates_of_random_lists_match_the_oracle(new in collections()) {
        let mut result = request::<Collections>(None, &new, Settings::default());
        result.error_lines.clear();
        prop_assert_eq!(result, expected_answer(&FIELDS, None, &new, Ratchet::Off));
    }

    #[test]
    fn a_second_normalization_changes_nothing((old, new) in old_and_new()) {
        let (old, mut new): (Collections, Collections) = (read(&old), read(&new));
        let _ = new.normalize_unions(Some(&old), &Settings::default());
        let once = serde_json::to_value(&new).expect("valid JSON");
        prop_assert!(new.normalize_unions(Some(&old), &Settings::default()).is_empty());
        prop_assert_eq!(serde_json::to_value(&new).expect("valid JSON"), once);
    }

    #[test]
    fn an_unchanged_object_is_rejected_only_for_unpaired_elements(object in collections()) {
        // If a key occurs twice, an API server compares the second element with the first old
        // element, so an unchanged object could have an error.
        let object = remove_duplicates(&object);
        let result = request::<Collections>(Some(&object), &object, Settings::default());
        prop_assert_eq!(&result.object, &object);
        for path in &result.errors {
            let element = path.trim_end_matches(".alpha").trim_end_matches(".beta");
            let element = element.replace('[', "/").replace(']', "");
            let element = object.pointer(&format!("/{element}"));
            let lacks_key = element.is_some_and(|element| {
                element.get("name").is_none() || element.get("port").is_none()
            });
            prop_assert!(path.starts_with("plain") || lacks_key, "{} is paired", path);
        }
    }

    #[test]
    fn reordering_a_keyed_list_changes_only_the_indexes_in_paths(
        old in collections(), new in proptest::collection::vec(item(), 0..6).prop_shuffle(),
    ) {
        let reversed: Vec<Value> = new.iter().rev().cloned().collect();
        let count = new.len();
        let result_for = |list: Vec<Value>| {
            let new = json!({ "byName": list, "byBoth": [], "map": {}, "plain": [] });
            request::<Collections>(Some(&old), &new, Settings::default())
        };
        let (result, reversed) = (result_for(new), result_for(reversed));
        let with_reversed_indexes = |lines: &[String]| -> Vec<String> {
            let mut lines: Vec<String> = lines.iter().map(|line| reverse_index(line, count)).collect();
            lines.sort();
            lines
        };
        let sorted = |lines: &[String]| {
            let mut lines = lines.to_vec();
            lines.sort();
            lines
        };
        prop_assert_eq!(with_reversed_indexes(&reversed.changes), sorted(&result.changes));
        prop_assert_eq!(with_reversed_indexes(&reversed.errors), sorted(&result.errors));
        prop_assert_eq!(with_reversed_indexes(&reversed.tolerated), sorted(&result.tolerated));
    }
}

/// Returns the object with only the first element of each name.
fn remove_duplicates(object: &Value) -> Value {
    let mut object = object.clone();
    for field in ["byName", "byBoth"] {
        let mut seen_names = Vec::new();
        let elements = object[field].as_array_mut().expect("a list");
        elements.retain(|element| {
            let name = element.get("name").cloned();
            let is_new = name.is_none() || !seen_names.contains(&name);
            seen_names.push(name);
            is_new
        });
    }
    object
}

/// Returns the line that belongs to the reversed list: `byName[1].alpha` of four elements becomes
/// `byName[2].alpha`.
fn reverse_index(line: &str, count: usize) -> String {
    let (field, after_bracket) = line.split_once('[').expect("an index");
    let (index, suffix) = after_bracket.split_once(']').expect("an index");
    let index: usize = index.parse().expect("a number");
    format!("{field}[{}]{suffix}", count - 1 - index)
}

/// Checks that the oracle finds pairs, because an oracle without pairs would prove nothing.
#[test]
fn the_oracle_pairs_the_first_of_duplicates_and_nothing_without_a_key() {
    let old = json!([{"name": "a", "n": 1}, {"name": "a", "n": 2}, {"n": 3}]);
    let keys = Pairing::ByKeys(&["name"]);
    let partner = |element| {
        crate::unions::nested::pairs::partner(keys, &old, &element).map(|old| old["n"].clone())
    };
    assert_eq!(partner(json!({"name": "a"})), Some(json!(1)));
    assert_eq!(partner(json!({"name": "b"})), None);
    assert_eq!(partner(json!({})), None);
}
