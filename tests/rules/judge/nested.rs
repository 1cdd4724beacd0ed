//! Tests of the errors that an update may keep in nested unions, whose old and new values are
//! correlated, for each of the three ratchets.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use union_runtime::{Ratchet, Settings, Union};

use crate::unions::nested::answer::{RATCHETS, request, update, update_with_ratchet};
use crate::unions::nested::types::{Choice, Source};

#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(transform = union_runtime::add_unions::<Pod>)]
struct Pod {
    #[union(nested, list_map_keys("name"))]
    volumes: Vec<Volume>,
    #[union(nested)]
    #[serde(default)]
    by_name: BTreeMap<String, Choice>,
    #[union(nested)]
    #[serde(default)]
    plain: Vec<Source>,
    #[serde(default)]
    other: i32,
}

#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(transform = union_runtime::add_unions::<Volume>)]
struct Volume {
    #[union(key)]
    name: String,
    #[union(inline)]
    #[serde(flatten)]
    source: Source,
    #[union(nested)]
    #[serde(skip_serializing_if = "Option::is_none")]
    inner: Option<Choice>,
    #[serde(default)]
    read_only: bool,
}

fn volume_with_two_members(name: &str) -> Value {
    json!({"name": name, "hostPath": 1, "emptyDir": 2, "readOnly": false})
}

fn pod(volumes: &[Value]) -> Value {
    json!({ "volumes": volumes, "byName": {}, "plain": [], "other": 0 })
}

#[test]
fn the_same_reason_compares_correlated_elements() {
    let old = pod(&[volume_with_two_members("a"), volume_with_two_members("b")]);
    let new = pod(&[
        json!({"name": "c"}),
        volume_with_two_members("b"),
        volume_with_two_members("a"),
    ]);
    update::<Pod>(&old, &new).assert_lines(&[], &[], &["volumes[1]", "volumes[2]"]);
    let new = pod(&[volume_with_two_members("b"), volume_with_two_members("x")]);
    update::<Pod>(&old, &new).assert_lines(&[], &["volumes[1]"], &["volumes[0]"]);
}

#[test]
fn the_same_error_in_another_element_is_not_tolerated() {
    let old = pod(&[
        volume_with_two_members("a"),
        json!({"name": "b", "hostPath": 1}),
    ]);
    let new = pod(&[volume_with_two_members("a"), volume_with_two_members("b")]);
    // Only `hostPath` was added, so normalization clears the other member.
    update::<Pod>(&old, &new).assert_lines(&["volumes[1].hostPath: cleared"], &[], &["volumes[0]"]);
    let old = pod(&[volume_with_two_members("a"), json!({"name": "b"})]);
    update::<Pod>(&old, &new).assert_lines(&[], &["volumes[1]"], &["volumes[0]"]);
}

#[test]
fn other_fields_of_an_element_may_change_only_for_the_same_reason() {
    let old = pod(&[volume_with_two_members("a")]);
    let mut edited = volume_with_two_members("a");
    edited["readOnly"] = json!(true);
    let new = pod(&[edited]);
    update_with_ratchet::<Pod>(Ratchet::SameReason, &old, &new).assert_lines(
        &[],
        &[],
        &["volumes[0]"],
    );
    update_with_ratchet::<Pod>(Ratchet::Unchanged, &old, &new).assert_lines(
        &[],
        &["volumes[0]"],
        &[],
    );
    update_with_ratchet::<Pod>(Ratchet::Off, &old, &new).assert_lines(&[], &["volumes[0]"], &[]);
}

#[test]
fn unchanged_compares_the_element_and_not_its_list_or_index() {
    let old = pod(&[volume_with_two_members("a"), json!({"name": "z"})]);
    let mut new = pod(&[
        json!({"name": "y", "hostPath": 1}),
        volume_with_two_members("a"),
    ]);
    new["other"] = json!(5);
    update_with_ratchet::<Pod>(Ratchet::Unchanged, &old, &new).assert_lines(
        &[],
        &[],
        &["volumes[1]"],
    );
}

#[test]
fn unchanged_compares_with_the_first_of_old_duplicates() {
    let mut duplicate = volume_with_two_members("a");
    duplicate["hostPath"] = json!(7);
    let old = pod(&[volume_with_two_members("a"), duplicate.clone()]);
    update_with_ratchet::<Pod>(Ratchet::Unchanged, &old, &old).assert_lines(
        &[],
        &["volumes[1]"],
        &["volumes[0]"],
    );
    let new = pod(&[volume_with_two_members("a"), volume_with_two_members("a")]);
    update_with_ratchet::<Pod>(Ratchet::Unchanged, &old, &new).assert_lines(
        &[],
        &[],
        &["volumes[0]", "volumes[1]"],
    );
    let new = pod(&[duplicate.clone(), volume_with_two_members("a")]);
    update_with_ratchet::<Pod>(Ratchet::Unchanged, &old, &new).assert_lines(
        &[],
        &["volumes[0]"],
        &["volumes[1]"],
    );
    update_with_ratchet::<Pod>(Ratchet::SameReason, &old, &new).assert_lines(
        &[],
        &[],
        &["volumes[0]", "volumes[1]"],
    );
}

#[test]
fn unchanged_compares_only_the_struct_with_the_union_and_its_contents() {
    let inner = json!({"kind": "Alpha", "alpha": 1, "beta": 1});
    let mut volume = volume_with_two_members("a");
    volume["inner"] = inner.clone();
    let old = pod(&[volume.clone()]);
    volume["inner"]["beta"] = json!(2);
    let new = pod(&[volume.clone()]);
    // A change of the inner struct is a change of the volume.
    update_with_ratchet::<Pod>(Ratchet::Unchanged, &old, &new).assert_lines(
        &[],
        &["volumes[0]", "volumes[0].inner.beta"],
        &[],
    );
    volume["inner"] = inner;
    volume["readOnly"] = json!(true);
    let new = pod(&[volume]);
    // A change of the volume is not a change of the inner struct.
    update_with_ratchet::<Pod>(Ratchet::Unchanged, &old, &new).assert_lines(
        &[],
        &["volumes[0]"],
        &["volumes[0].inner.beta"],
    );
}

#[test]
fn nothing_is_tolerated_in_an_element_that_is_new() {
    let old = pod(&[volume_with_two_members("a")]);
    let new = pod(&[volume_with_two_members("b")]);
    for ratchet in RATCHETS {
        update_with_ratchet::<Pod>(ratchet, &old, &new).assert_lines(&[], &["volumes[0]"], &[]);
    }
}

#[test]
fn a_list_without_keys_is_tolerated_as_a_whole() {
    let invalid_element = json!({"hostPath": 1, "emptyDir": 1});
    let pod_with_list = |plain: Value| {
        let mut object = pod(&[]);
        object["plain"] = plain;
        object
    };
    let old = pod_with_list(json!([invalid_element, {"hostPath": 1}, invalid_element]));
    let mut edited_elsewhere = old.clone();
    edited_elsewhere["other"] = json!(5);
    for ratchet in RATCHETS {
        let answer = update_with_ratchet::<Pod>(ratchet, &old, &edited_elsewhere);
        if ratchet == Ratchet::Off {
            answer.assert_lines(&[], &["plain[0]", "plain[2]"], &[]);
        } else {
            answer.assert_lines(&[], &[], &["plain[0]", "plain[2]"]);
        }
    }
    // After any change of a list without keys, the whole list counts as new. The changes here are
    // another value, another order, another element, and a removed element.
    for plain in [
        json!([invalid_element, {"hostPath": 2}, invalid_element]),
        json!([invalid_element, invalid_element, {"hostPath": 1}]),
        json!([invalid_element, {"hostPath": 1}, invalid_element, {}]),
        json!([invalid_element, {"hostPath": 1}, {"hostPath": 1, "emptyDir": 2}]),
    ] {
        let (first, second) = if plain[1] == invalid_element {
            (0, 1)
        } else {
            (0, 2)
        };
        let error_paths = [format!("plain[{first}]"), format!("plain[{second}]")];
        for ratchet in RATCHETS {
            let answer = update_with_ratchet::<Pod>(ratchet, &old, &pod_with_list(plain.clone()));
            answer.assert_lines(&[], &[&*error_paths[0], &*error_paths[1]], &[]);
        }
    }
    // An equally invalid element of another list is not an old value of the element.
    let old_with_volume = pod(&[volume_with_two_members("a")]);
    update::<Pod>(&old_with_volume, &pod_with_list(json!([invalid_element]))).assert_lines(
        &[],
        &["plain[0]"],
        &[],
    );
}

#[test]
fn entries_of_maps_are_compared_by_key() {
    let invalid_choice = json!({"kind": "Alpha", "alpha": 1, "beta": 1});
    let mut old = pod(&[]);
    old["byName"] = json!({"a.b": invalid_choice, "c": {"kind": "Nothing"}});
    let mut new = pod(&[]);
    new["byName"] =
        json!({"a.b": invalid_choice, "c": {"kind": "Nothing", "beta": 1}, "d": invalid_choice});
    for ratchet in [Ratchet::SameReason, Ratchet::Unchanged] {
        update_with_ratchet::<Pod>(ratchet, &old, &new).assert_lines(
            &[],
            &["byName[c].beta", "byName[d].beta"],
            &["byName[a.b].beta"],
        );
    }
}

#[test]
fn with_unions_off_nested_unions_are_not_validated() {
    let off = Settings::default().unions(false);
    let old = pod(&[json!({"name": "a", "hostPath": 1})]);
    let new = pod(&[volume_with_two_members("a"), volume_with_two_members("b")]);
    let answer = request::<Pod>(Some(&old), &new, off);
    answer.assert_lines(&[], &[], &[]);
    assert_eq!(answer.object["volumes"][0]["hostPath"], 1);
    request::<Pod>(None, &new, off).assert_lines(&[], &[], &[]);
}

#[test]
fn messages_compare_with_the_correlated_discriminator() {
    let mut old = pod(&[]);
    old["byName"] = json!({"a": {"kind": "Alpha", "alpha": 1}});
    let mut new = pod(&[]);
    new["byName"] = json!({"a": {"kind": "Alpha", "alpha": 1, "beta": 1}, "b": {"kind": "Alpha", "alpha": 1, "beta": 1}});
    let error_lines = update::<Pod>(&old, &new).error_lines;
    assert!(
        error_lines[0].contains("`kind` is still \"Alpha\""),
        "{error_lines:?}"
    );
    assert!(
        error_lines[1].contains("`kind` is \"Alpha\""),
        "{error_lines:?}"
    );
}
