//! Tests of unions inside the members of a union, and of structs that are both an element and a
//! parent.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use union_runtime::Union;

use crate::unions::nested::answer::{create, update};
use crate::unions::nested::types::{Choice, Kind, Source};

#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = union_runtime::add_unions::<Outer>)]
struct Outer {
    #[union(discriminator)]
    kind: Kind,
    #[union(member, nested)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<Box<Choice>>,
    #[union(member, nested, list_map_keys("name"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    beta: Option<Vec<Named>>,
}

#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = union_runtime::add_unions::<Named>)]
struct Named {
    #[union(key)]
    name: String,
    #[union(inline)]
    #[serde(flatten)]
    source: Source,
}

/// A struct that reaches a nested list through a flattened struct.
#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = union_runtime::add_unions::<Flattening>)]
struct Flattening {
    #[union(inline)]
    #[serde(flatten)]
    outer: Outer,
    other: i32,
}

#[test]
fn unions_inside_a_member_are_validated() {
    let invalid_object = json!({"kind": "Alpha", "alpha": {"kind": "Beta", "alpha": 1, "beta": 1}});
    create::<Outer>(&invalid_object).assert_lines(&[], &["alpha.alpha"], &[]);
    let old = json!({"kind": "Alpha", "alpha": {"kind": "Alpha", "alpha": 1}});
    update::<Outer>(&old, &invalid_object).assert_lines(&["alpha.alpha: cleared"], &[], &[]);
    update::<Outer>(&invalid_object, &invalid_object).assert_lines(&[], &[], &["alpha.alpha"]);
}

#[test]
fn errors_inside_of_a_cleared_member_disappear() {
    let old = json!({"kind": "Alpha", "alpha": {"kind": "Alpha", "alpha": 1}});
    let new = json!({
        "kind": "Beta",
        "alpha": {"kind": "Beta", "alpha": 1, "beta": 1},
        "beta": [{"name": "a", "hostPath": 1}],
    });
    let answer = update::<Outer>(&old, &new);
    answer.assert_lines(&["alpha: cleared"], &[], &[]);
    assert_eq!(
        answer.object,
        json!({"kind": "Beta", "beta": [{"name": "a", "hostPath": 1}]})
    );
}

#[test]
fn an_unselected_member_is_reported_before_the_errors_inside_of_it() {
    let new = json!({"kind": "Nothing", "alpha": {"kind": "Beta", "alpha": 1, "beta": 1}});
    create::<Outer>(&new).assert_lines(&[], &["alpha", "alpha.alpha"], &[]);
}

#[test]
fn elements_of_a_member_that_is_a_keyed_list_correlate() {
    let old = json!({"kind": "Beta", "beta": [{"name": "a", "hostPath": 1}, {"name": "b", "hostPath": 1, "emptyDir": 1}]});
    let new = json!({"kind": "Beta", "beta": [
        {"name": "b", "hostPath": 1, "emptyDir": 1},
        {"name": "a", "hostPath": 1, "emptyDir": 1},
        {"name": "c", "hostPath": 1, "emptyDir": 1},
    ]});
    update::<Outer>(&old, &new).assert_lines(
        &["beta[1].hostPath: cleared"],
        &["beta[2]"],
        &["beta[0]"],
    );
}

#[test]
fn lists_in_a_flattened_struct_are_at_the_parents_path() {
    let old = json!({"other": 1, "kind": "Beta", "beta": [{"name": "a", "hostPath": 1}]});
    let new = json!({"other": 2, "kind": "Beta", "beta": [
        {"name": "x", "hostPath": 1, "emptyDir": 1},
        {"name": "a", "hostPath": 1, "emptyDir": 1},
    ]});
    update::<Flattening>(&old, &new).assert_lines(
        &["beta[1].hostPath: cleared"],
        &["beta[0]"],
        &[],
    );
}
