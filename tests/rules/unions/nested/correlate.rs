//! Tests of the pairs of old and new elements that are correlated, as an API server correlates them
//! (KEP-4008, `x-kubernetes-list-type: map`).
//!
//! A test recognizes a pair by normalization: an element that is correlated with an old element of
//! kind `Alpha` loses `alpha_element` when it becomes `Beta`. Other elements keep `alpha_element`.

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

/// Returns an element of kind `Alpha` with its member.
fn alpha_element(name: &str) -> Value {
    json!({"name": name, "kind": "Alpha", "alpha": 1})
}

/// Returns an element that became `Beta`, and still has `alpha_element`.
fn beta_element(name: &str) -> Value {
    json!({"name": name, "kind": "Beta", "alpha": 1, "beta": 2})
}

/// Returns the indexes of the elements of `field` that are correlated with an old element of kind
/// `Alpha`: the elements that lose `alpha_element`.
#[track_caller]
fn correlated_indexes(field: &str, old: &Value, new: &Value) -> Vec<usize> {
    let count = new.as_array().map_or(0, Vec::len);
    let answer = update::<Lists>(&json!({ field: old }), &json!({ field: new }));
    let path = |index: usize| format!("{field}[{index}].alpha");
    let is_cleared = |index: &usize| {
        answer
            .changes
            .contains(&format!("{}: cleared", path(*index)))
    };
    let correlated: Vec<usize> = (0..count).filter(is_cleared).collect();
    assert_eq!(
        answer.changes.len(),
        correlated.len(),
        "{:?}",
        answer.changes
    );
    let expected_errors: Vec<String> = (0..count)
        .filter(|index| !is_cleared(index))
        .map(path)
        .collect();
    assert_eq!(
        answer.errors, expected_errors,
        "what is not compared is created"
    );
    assert_eq!(answer.tolerated, [""; 0]);
    correlated
}

#[test]
fn elements_of_a_reordered_list_pair_by_key() {
    let old = json!([alpha_element("a"), alpha_element("b"), alpha_element("c")]);
    let new = json!([beta_element("c"), beta_element("x"), beta_element("a")]);
    assert_eq!(correlated_indexes("byName", &old, &new), [0, 2]);
    assert_eq!(correlated_indexes("perhaps", &old, &new), [0, 2]);
}

#[test]
fn an_element_with_a_new_key_is_a_create() {
    assert_eq!(
        correlated_indexes(
            "byName",
            &json!([alpha_element("a")]),
            &json!([beta_element("b")])
        ),
        [0; 0]
    );
    assert_eq!(
        correlated_indexes("byName", &json!([]), &json!([beta_element("b")])),
        [0; 0]
    );
    let answer = update::<Lists>(&json!({}), &json!({"perhaps": [beta_element("a")]}));
    answer.assert_lines(&[], &["perhaps[0].alpha"], &[]);
}

#[test]
fn the_first_of_old_duplicates_is_compared() {
    let beta_without_alpha = json!({"name": "a", "kind": "Beta", "beta": 1});
    let new = json!([beta_element("a")]);
    assert_eq!(
        correlated_indexes(
            "byName",
            &json!([alpha_element("a"), beta_without_alpha]),
            &new
        ),
        [0]
    );
    assert_eq!(
        correlated_indexes(
            "byName",
            &json!([beta_without_alpha, alpha_element("a")]),
            &new
        ),
        [0; 0]
    );
}

#[test]
fn all_duplicates_in_new_pair_with_the_same_old_element() {
    let new = json!([
        beta_element("a"),
        beta_element("b"),
        beta_element("a"),
        beta_element("a")
    ]);
    assert_eq!(
        correlated_indexes("byName", &json!([alpha_element("a")]), &new),
        [0, 2, 3]
    );
}

#[test]
fn an_element_without_its_key_is_never_paired() {
    let old = json!([{"kind": "Alpha", "alpha": 1}, alpha_element("a")]);
    let new = json!([{"kind": "Beta", "alpha": 1, "beta": 2}, beta_element("a")]);
    assert_eq!(correlated_indexes("byName", &old, &new), [1]);
    // A null name means that the name is absent, but an empty string is a key.
    let new = json!([{"name": null, "kind": "Beta", "alpha": 1, "beta": 2}, beta_element("")]);
    assert_eq!(correlated_indexes("byName", &old, &new), [0; 0]);
    assert_eq!(
        correlated_indexes("byName", &json!([alpha_element("")]), &new),
        [1]
    );
}

#[test]
fn all_of_several_keys_must_be_equal() {
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
fn an_element_without_one_of_its_keys_is_never_paired() {
    let old = json!([{"name": "a", "kind": "Alpha", "alpha": 1}, {"port": 1, "kind": "Alpha", "alpha": 1}]);
    let new = json!([
        {"name": "a", "kind": "Beta", "alpha": 1, "beta": 1},
        {"port": 1, "kind": "Beta", "alpha": 1, "beta": 1},
        {"kind": "Beta", "alpha": 1, "beta": 1},
    ]);
    assert_eq!(correlated_indexes("byBoth", &old, &new), [0; 0]);
}

#[test]
fn elements_of_a_list_without_keys_never_correlate() {
    let old = json!([alpha_element("a"), alpha_element("b")]);
    let new = json!([beta_element("a"), beta_element("b")]);
    assert_eq!(correlated_indexes("plain", &old, &new), [0; 0]);
}

#[test]
fn entries_of_both_map_types_pair_by_key() {
    for field in ["map", "hash"] {
        // The `name` fields in the values suggest other pairs, but maps are correlated by key.
        let old = json!({field: {"x": alpha_element("1"), "y": alpha_element("2")}});
        let new = json!({field: {"y": beta_element("1"), "z": beta_element("2")}});
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
    let old = json!({"byList": {"p": {"items": [alpha_element("a")]}}});
    let new = json!({"byList": {"p": {"items": [beta_element("a")]}, "q": {"items": [beta_element("a")]}}});
    update::<Lists>(&old, &new).assert_lines(
        &["byList[p].items[0].alpha: cleared"],
        &["byList[q].items[0].alpha"],
        &[],
    );
}

#[test]
fn a_removed_element_causes_no_error() {
    let old = json!({"byName": [alpha_element("a"), beta_element("b")]});
    update::<Lists>(&old, &json!({"byName": [alpha_element("a")]})).assert_lines(&[], &[], &[]);
    update::<Lists>(&old, &json!({})).assert_lines(&[], &[], &[]);
}
