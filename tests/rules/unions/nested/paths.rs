//! Tests of `nested`: every type that can contain unions, and the exact path of each union.

use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use union_runtime::Union;

use crate::unions::nested::answer::{RATCHETS, create, update, update_with_ratchet};
use crate::unions::nested::types::{Choice, Source};

/// A struct with a `nested` field of every kind. It has no union of its own, so it needs no schema
/// hook.
#[derive(Union, Serialize, Deserialize, Clone)]
#[serde(rename_all = "camelCase", default)]
#[derive(Default)]
struct AllNestedTypes {
    #[union(nested)]
    #[serde(skip_serializing_if = "Option::is_none")]
    the_field: Option<Plain>,
    #[union(nested)]
    #[serde(skip_serializing_if = "Option::is_none")]
    perhaps: Option<Choice>,
    #[union(nested)]
    #[serde(skip_serializing_if = "Option::is_none")]
    boxed: Option<Box<Choice>>,
    #[union(nested)]
    #[serde(rename = "l-i.s_t", skip_serializing_if = "Vec::is_empty")]
    list: Vec<Choice>,
    #[union(nested)]
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    by_name: BTreeMap<String, Choice>,
    #[union(nested)]
    #[serde(skip_serializing_if = "HashMap::is_empty")]
    by_hash: HashMap<String, Choice>,
    #[union(nested)]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    rows: Vec<Vec<Choice>>,
    #[union(nested)]
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    deep: BTreeMap<String, Option<Vec<ByHash>>>,
    #[union(nested)]
    #[serde(rename = "type", skip_serializing_if = "Vec::is_empty")]
    r#type: Vec<Plain>,
}

type ByHash = HashMap<String, Option<Box<Choice>>>;

/// A struct without a union of its own, which only leads to a struct with unions.
#[derive(Union, Serialize, Deserialize, Clone)]
struct Plain {
    #[union(nested)]
    inner: Inner,
    other: i32,
}

#[derive(Union, Serialize, Deserialize, Clone)]
struct Inner {
    #[union(nested)]
    choice: Box<Choice>,
    #[union(nested)]
    source: Source,
}

/// A type that contains itself in every possible way.
#[derive(Union, Serialize, Deserialize, Clone)]
#[serde(rename_all = "camelCase")]
struct Tree {
    #[union(member, group = one)]
    #[serde(skip_serializing_if = "Option::is_none")]
    a: Option<i32>,
    #[union(member, group = one)]
    #[serde(skip_serializing_if = "Option::is_none")]
    b: Option<i32>,
    #[union(nested)]
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<Box<Self>>,
    #[union(nested)]
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    by_name: BTreeMap<String, Tree>,
    #[union(nested)]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    list: Vec<Tree>,
}

/// A struct with the struct attribute `nested(...)`, for fields that cannot be annotated.
#[derive(Union, Serialize, Deserialize, Clone)]
#[union(nested(spec, r#type), not_nested(status))]
struct NestedByAttribute {
    spec: AllNestedTypes,
    r#type: Choice,
    /// The field is in `not_nested`, so its union is not validated.
    status: Choice,
}

/// Returns an invalid object. Normalization clears its field `alpha` if the old object is
/// `valid_choice()`, and keeps the field if there is no old object.
fn invalid_choice() -> Value {
    json!({"kind": "Beta", "alpha": 1, "beta": 2})
}

fn valid_choice() -> Value {
    json!({"kind": "Alpha", "alpha": 1})
}

fn plain_struct(choice: &Value) -> Value {
    json!({"inner": {"choice": choice, "source": {"hostPath": 1}}, "other": 1})
}

/// Returns an object for each path, with `choice` at that path, and the path.
fn objects_with_paths(choice: &Value) -> Vec<(Value, &'static str)> {
    vec![
        (
            json!({"theField": plain_struct(choice)}),
            "theField.inner.choice",
        ),
        (json!({"perhaps": choice}), "perhaps"),
        (json!({"boxed": choice}), "boxed"),
        (json!({"l-i.s_t": [valid_choice(), choice]}), "l-i.s_t[1]"),
        (
            json!({"byName": {"a": choice, "b": valid_choice()}}),
            "byName[a]",
        ),
        (json!({"byName": {"a.b/c d": choice}}), "byName[a.b/c d]"),
        (json!({"byName": {"": choice}}), "byName[]"),
        (
            json!({"byHash": {"h": choice, "i": valid_choice()}}),
            "byHash[h]",
        ),
        (
            json!({"rows": [[], [valid_choice(), valid_choice(), choice]]}),
            "rows[1][2]",
        ),
        (
            json!({"deep": {"m": null, "n": [{}, {"o": null, "p": choice}]}}),
            "deep[n][1][p]",
        ),
        (
            json!({"type": [plain_struct(&valid_choice()), plain_struct(choice)]}),
            "type[1].inner.choice",
        ),
    ]
}

#[test]
fn a_violation_has_its_exact_path_in_every_type() {
    for (object, path) in objects_with_paths(&invalid_choice()) {
        create::<AllNestedTypes>(&object).assert_lines(&[], &[&format!("{path}.alpha")], &[]);
        let missing = json!({"kind": "Alpha"});
        for (object, other_path) in objects_with_paths(&missing) {
            if other_path == path {
                create::<AllNestedTypes>(&object).assert_lines(
                    &[],
                    &[&format!("{path}.alpha")],
                    &[],
                );
            }
        }
    }
}

#[test]
fn valid_objects_have_no_violations() {
    for (object, _) in objects_with_paths(&valid_choice()) {
        create::<AllNestedTypes>(&object).assert_lines(&[], &[], &[]);
    }
    create::<AllNestedTypes>(&json!({})).assert_lines(&[], &[], &[]);
}

#[test]
fn an_update_correlates_all_values_except_list_elements() {
    for ((new, path), (old, _)) in objects_with_paths(&invalid_choice())
        .into_iter()
        .zip(objects_with_paths(&valid_choice()))
    {
        let answer = update::<AllNestedTypes>(&old, &new);
        let alpha = format!("{path}.alpha");
        // These paths go through a list without keys, whose elements have no old elements.
        if path.contains("[1]") {
            answer.assert_lines(&[], &[&alpha], &[]);
            assert_eq!(answer.object, new);
        } else {
            answer.assert_lines(&[&format!("{alpha}: cleared")], &[], &[]);
        }
    }
}

#[test]
fn a_stored_violation_is_tolerated_in_every_type() {
    for (object, path) in objects_with_paths(&invalid_choice()) {
        let alpha = format!("{path}.alpha");
        for ratchet in RATCHETS {
            let answer = update_with_ratchet::<AllNestedTypes>(ratchet, &object, &object);
            if ratchet == union_runtime::Ratchet::Off {
                answer.assert_lines(&[], &[&alpha], &[]);
            } else {
                answer.assert_lines(&[], &[], &[&alpha]);
            }
        }
    }
}

#[test]
fn messages_begin_with_the_path() {
    let object = json!({"theField": {"inner": {"choice": valid_choice(), "source": {"hostPath": 1, "emptyDir": 1}}, "other": 1}});
    create::<AllNestedTypes>(&object).assert_error_lines_begin_with(&[
        "theField.inner.source: Invalid value: \"{hostPath, emptyDir}\": ".to_owned(),
    ]);
}

#[test]
fn all_violations_of_an_object_are_reported_in_source_order() {
    let object = json!({
        "perhaps": invalid_choice(),
        "l-i.s_t": [invalid_choice(), valid_choice(), invalid_choice()],
        "byName": {"b": invalid_choice(), "a": invalid_choice()},
        "theField": plain_struct(&invalid_choice()),
    });
    create::<AllNestedTypes>(&object).assert_lines(
        &[],
        &[
            "theField.inner.choice.alpha",
            "perhaps.alpha",
            "l-i.s_t[0].alpha",
            "l-i.s_t[2].alpha",
            "byName[a].alpha",
            "byName[b].alpha",
        ],
        &[],
    );
}

#[test]
fn the_entries_of_a_hash_map_are_reported_in_the_order_of_their_keys() {
    let keys = ["c", "a", "d", "b", "e", "", "aa"];
    let entries: serde_json::Map<_, _> = keys
        .iter()
        .map(|key| ((*key).to_owned(), invalid_choice()))
        .collect();
    let paths = ["", "a", "aa", "b", "c", "d", "e"].map(|key| format!("byHash[{key}].alpha"));
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    create::<AllNestedTypes>(&json!({ "byHash": entries })).assert_lines(&[], &paths, &[]);
}

#[test]
fn a_field_that_appears_is_a_create() {
    let answer = update::<AllNestedTypes>(
        &json!({}),
        &json!({"perhaps": invalid_choice(), "byName": {"a": invalid_choice()}}),
    );
    answer.assert_lines(&[], &["perhaps.alpha", "byName[a].alpha"], &[]);
    let answer = update::<AllNestedTypes>(
        &json!({"byName": {"b": invalid_choice()}}),
        &json!({"byName": {"a": invalid_choice(), "b": invalid_choice()}}),
    );
    answer.assert_lines(&[], &["byName[a].alpha"], &["byName[b].alpha"]);
}

#[test]
fn unions_of_a_recursive_type_are_validated_at_every_level() {
    let invalid_tree = json!({"a": 1, "b": 2});
    let new = json!({
        "next": {"next": {"byName": {"x": {"list": [{}, invalid_tree]}}, "a": 1, "b": 2}},
        "byName": {"y": {"next": invalid_tree}},
    });
    let error_paths = ["next.next", "next.next.byName[x].list[1]", "byName[y].next"];
    create::<Tree>(&new).assert_lines(&[], &error_paths, &[]);
    let valid_tree = json!({"a": 1});
    let old = json!({
        "next": {"next": {"byName": {"x": {"list": [{}, valid_tree]}}, "a": 1}},
        "byName": {"y": {"next": valid_tree}},
    });
    update::<Tree>(&old, &new).assert_lines(
        &["next.next.a: cleared", "byName[y].next.a: cleared"],
        &["next.next.byName[x].list[1]"],
        &[],
    );
    update::<Tree>(&new, &new).assert_lines(&[], &[], &error_paths);
}

#[test]
fn a_union_at_the_end_of_a_deep_object_is_validated() {
    let mut new = json!({"a": 1, "b": 2});
    for _ in 0..40 {
        new = json!({ "next": new });
    }
    let path = vec!["next"; 40].join(".");
    create::<Tree>(&new).assert_lines(&[], &[&path], &[]);
}

#[test]
fn only_fields_that_the_struct_attribute_names_are_validated() {
    let new = json!({
        "spec": {"byName": {"a": invalid_choice()}},
        "type": invalid_choice(),
        "status": invalid_choice(),
    });
    create::<NestedByAttribute>(&new).assert_lines(
        &[],
        &["spec.byName[a].alpha", "type.alpha"],
        &[],
    );
    let old = json!({
        "spec": {"byName": {"a": valid_choice()}},
        "type": valid_choice(),
        "status": valid_choice(),
    });
    let answer = update::<NestedByAttribute>(&old, &new);
    answer.assert_lines(
        &["spec.byName[a].alpha: cleared", "type.alpha: cleared"],
        &[],
        &[],
    );
    assert_eq!(answer.object["status"], invalid_choice());
}
