//! Tests of the pairs of old and new elements that are correlated, as an API server correlates them
//! (KEP-4008, `x-kubernetes-list-type: map`).
//!
//! A test recognizes a pair by normalization: an element that is correlated with an old element of
//! kind `Alpha` loses `alpha` when it becomes `Beta`. Other elements keep `alpha`.

use std::collections::{BTreeMap, HashMap};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use union_runtime::Union;

use crate::unions::nested::answer::update;
use crate::unions::nested::types::Choice;

#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = union_runtime::add_unions::<Item>)]
struct Item {
    #[union(key)]
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[union(key)]
    #[serde(skip_serializing_if = "Option::is_none")]
    port: Option<u16>,
    #[union(inline)]
    #[serde(flatten)]
    choice: Choice,
}

#[derive(Union, Serialize, Deserialize, JsonSchema, Default)]
#[serde(rename_all = "camelCase", default)]
#[schemars(transform = union_runtime::add_unions::<Lists>)]
struct Lists {
    #[union(nested, list_map_keys("name"))]
    by_name: Vec<Item>,
    #[union(nested, list_map_keys("port", "name"))]
    by_both: Vec<Item>,
    #[union(nested, list_map_keys("name"))]
    perhaps: Option<Vec<Item>>,
    #[union(nested)]
    plain: Vec<Item>,
    #[union(nested)]
    map: BTreeMap<String, Item>,
    #[union(nested)]
    hash: HashMap<String, Item>,
    #[union(nested)]
    by_list: BTreeMap<String, Inner>,
}

#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = union_runtime::add_unions::<Inner>)]
struct Inner {
    #[union(nested, list_map_keys("name"))]
    items: Vec<Item>,
}

fn alpha(name: &str) -> Value {
    json!({"name": name, "kind": "Alpha", "alpha": 1})
}

/// Returns an element that became `Beta`, and still has `alpha`.
fn beta(name: &str) -> Value {
    json!({"name": name, "kind": "Beta", "alpha": 1, "beta": 2})
}

/// Returns the indexes of the elements of `field` that are correlated with an old element of kind
/// `Alpha`: the elements that lose `alpha`.
#[track_caller]
fn correlated_indexes(field: &str, old: &Value, new: &Value) -> Vec<usize> {
    let count = new.as_array().map_or(0, Vec::len);
    let answer = update::<Lists>(&json!({ field: old }), &json!({ field: new }));
    let path = |i: usize| format!("{field}[{i}].alpha");
    let cleared = |i: &usize| answer.changes.contains(&format!("{}: cleared", path(*i)));
    let correlated: Vec<usize> = (0..count).filter(cleared).collect();
    assert_eq!(
        answer.changes.len(),
        correlated.len(),
        "{:?}",
        answer.changes
    );
    let expected_errors: Vec<String> = (0..count).filter(|i| !cleared(i)).map(path).collect();
    assert_eq!(
        answer.errors, expected_errors,
        "what is not compared is created"
    );
    assert_eq!(answer.tolerated, [""; 0]);
    correlated
}

#[test]
fn a_reordered_list_pairs_by_key() {
    let old = json!([alpha("a"), alpha("b"), alpha("c")]);
    let new = json!([beta("c"), beta("x"), beta("a")]);
    assert_eq!(correlated_indexes("byName", &old, &new), [0, 2]);
    assert_eq!(correlated_indexes("perhaps", &old, &new), [0, 2]);
}

#[test]
fn an_element_with_a_new_key_is_a_create() {
    assert_eq!(
        correlated_indexes("byName", &json!([alpha("a")]), &json!([beta("b")])),
        [0; 0]
    );
    assert_eq!(
        correlated_indexes("byName", &json!([]), &json!([beta("b")])),
        [0; 0]
    );
    let answer = update::<Lists>(&json!({}), &json!({"perhaps": [beta("a")]}));
    answer.assert_lines(&[], &["perhaps[0].alpha"], &[]);
}

#[test]
fn of_duplicates_in_old_the_first_counts() {
    let other = json!({"name": "a", "kind": "Beta", "beta": 1});
    let new = json!([beta("a")]);
    assert_eq!(
        correlated_indexes("byName", &json!([alpha("a"), other]), &new),
        [0]
    );
    assert_eq!(
        correlated_indexes("byName", &json!([other, alpha("a")]), &new),
        [0; 0]
    );
}

#[test]
fn all_duplicates_in_new_pair_with_the_same_old_element() {
    let new = json!([beta("a"), beta("b"), beta("a"), beta("a")]);
    assert_eq!(
        correlated_indexes("byName", &json!([alpha("a")]), &new),
        [0, 2, 3]
    );
}

#[test]
fn an_element_without_its_key_is_never_paired() {
    let old = json!([{"kind": "Alpha", "alpha": 1}, alpha("a")]);
    let new = json!([{"kind": "Beta", "alpha": 1, "beta": 2}, beta("a")]);
    assert_eq!(correlated_indexes("byName", &old, &new), [1]);
    // A null name means that the name is absent, but an empty string is a key.
    let new = json!([{"name": null, "kind": "Beta", "alpha": 1, "beta": 2}, beta("")]);
    assert_eq!(correlated_indexes("byName", &old, &new), [0; 0]);
    assert_eq!(correlated_indexes("byName", &json!([alpha("")]), &new), [1]);
}

#[test]
fn several_keys_must_all_be_the_same() {
    let item = |name: &str, port: u16, kind: &str| {
        if kind == "Alpha" {
            json!({"name": name, "port": port, "kind": kind, "alpha": 1})
        } else {
            json!({"name": name, "port": port, "kind": kind, "alpha": 1, "beta": 1})
        }
    };
    let old = json!([item("a", 1, "Alpha"), item("b", 2, "Alpha")]);
    let new = json!([
        item("b", 1, "Beta"),
        item("b", 2, "Beta"),
        item("a", 2, "Beta"),
        item("a", 1, "Beta"),
    ]);
    assert_eq!(correlated_indexes("byBoth", &old, &new), [1, 3]);
    assert_eq!(correlated_indexes("byName", &old, &new), [0, 1, 2, 3]);
}

#[test]
fn one_of_several_keys_that_is_absent_is_enough_to_be_unpaired() {
    let old = json!([{"name": "a", "kind": "Alpha", "alpha": 1}, {"port": 1, "kind": "Alpha", "alpha": 1}]);
    let new = json!([
        {"name": "a", "kind": "Beta", "alpha": 1, "beta": 1},
        {"port": 1, "kind": "Beta", "alpha": 1, "beta": 1},
        {"kind": "Beta", "alpha": 1, "beta": 1},
    ]);
    assert_eq!(correlated_indexes("byBoth", &old, &new), [0; 0]);
}

#[test]
fn a_list_without_keys_never_correlates() {
    let old = json!([alpha("a"), alpha("b")]);
    let new = json!([beta("a"), beta("b")]);
    assert_eq!(correlated_indexes("plain", &old, &new), [0; 0]);
}

#[test]
fn maps_of_both_kinds_pair_by_their_keys() {
    for field in ["map", "hash"] {
        // The `name` fields in the values suggest other pairs, but maps are correlated by key.
        let old = json!({field: {"x": alpha("1"), "y": alpha("2")}});
        let new = json!({field: {"y": beta("1"), "z": beta("2")}});
        let answer = update::<Lists>(&old, &new);
        answer.assert_lines(
            &[&format!("{field}[y].alpha: cleared")],
            &[&format!("{field}[z].alpha")],
            &[],
        );
    }
}

#[test]
fn values_below_an_unpaired_element_are_unpaired_too() {
    let old = json!({"byList": {"p": {"items": [alpha("a")]}}});
    let new = json!({"byList": {"p": {"items": [beta("a")]}, "q": {"items": [beta("a")]}}});
    update::<Lists>(&old, &new).assert_lines(
        &["byList[p].items[0].alpha: cleared"],
        &["byList[q].items[0].alpha"],
        &[],
    );
}

#[test]
fn an_element_that_is_gone_is_no_matter() {
    let old = json!({"byName": [alpha("a"), beta("b")]});
    update::<Lists>(&old, &json!({"byName": [alpha("a")]})).assert_lines(&[], &[], &[]);
    update::<Lists>(&old, &json!({})).assert_lines(&[], &[], &[]);
}
