//! Tests of `inline`: the unions of a flattened struct are normalized and validated as unions of
//! the parent.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use union_runtime::spec::UnionType as _;
use union_runtime::{Ratchet, Union, only_one_of, only_when};

use crate::unions::nested::answer::{RATCHETS, create, read, update, update_with_ratchet};
use crate::unions::nested::types::{Choice, Source, Target};

/// A parent with one flattened struct beside another field.
#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = union_runtime::add_unions::<OneFlattened>)]
struct OneFlattened {
    name: String,
    #[union(inline)]
    #[serde(flatten)]
    choice: Choice,
}

/// A parent with three flattened structs: a union of the 2022 model, a union without a
/// discriminator, and a union of the 2022 model with an optional discriminator.
#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = union_runtime::add_unions::<ThreeFlattened>)]
struct ThreeFlattened {
    #[union(inline)]
    #[serde(flatten)]
    choice: Choice,
    #[union(inline)]
    #[serde(flatten)]
    source: Source,
    #[union(inline)]
    #[serde(flatten)]
    target: Target,
}

/// A parent with a union of its own beside a flattened union.
#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(transform = union_runtime::add_unions::<OwnAndFlattened>)]
struct OwnAndFlattened {
    #[union(member, group = own)]
    #[serde(skip_serializing_if = "Option::is_none")]
    first: Option<i32>,
    #[union(inline)]
    #[serde(flatten)]
    choice: Box<Choice>,
    #[union(member, group = own)]
    #[serde(skip_serializing_if = "Option::is_none")]
    second: Option<i32>,
}

/// A parent with optional flattened structs.
#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = union_runtime::add_unions::<OptionalFlattened>)]
struct OptionalFlattened {
    name: String,
    #[union(inline)]
    #[serde(flatten)]
    choice: Option<Choice>,
    #[union(inline)]
    #[serde(flatten)]
    source: Option<Box<Source>>,
}

/// A parent that flattens a struct which itself flattens a union.
#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = union_runtime::add_unions::<FlattenedTwice>)]
struct FlattenedTwice {
    #[union(inline)]
    #[serde(flatten)]
    one: OneFlattened,
    #[union(inline)]
    #[serde(flatten)]
    source: Source,
}

#[test]
fn a_flattened_union_is_normalized_and_validated_at_the_parents_path() {
    let old = json!({"name": "a", "kind": "Alpha", "alpha": 1});
    let new = json!({"name": "a", "kind": "Beta", "alpha": 1, "beta": 2});
    let answer = update::<OneFlattened>(&old, &new);
    answer.assert_lines(&["alpha: cleared"], &[], &[]);
    assert_eq!(
        answer.object,
        json!({"name": "a", "kind": "Beta", "beta": 2})
    );
    create::<OneFlattened>(&new).assert_lines(&[], &["alpha"], &[]);
    create::<OneFlattened>(&json!({"name": "a", "kind": "Beta"})).assert_lines(&[], &["beta"], &[]);
    create::<OneFlattened>(&json!({"name": "a", "kind": "Nothing"})).assert_lines(&[], &[], &[]);
}

#[test]
fn messages_name_flattened_fields_like_fields_of_the_parent() {
    let answer =
        create::<OneFlattened>(&json!({"name": "a", "kind": "Beta", "alpha": 1, "beta": 2}));
    let wording = only_when("kind", "Alpha");
    answer.assert_error_lines_begin_with(&[format!("alpha: Invalid value: \"\": {wording}: ")]);
    let invalid_object = json!({"kind": "Nothing", "hostPath": 1, "emptyDir": 2});
    let wording = only_one_of(false, ["hostPath", "emptyDir"].into_iter());
    create::<ThreeFlattened>(&invalid_object).assert_error_lines_begin_with(&[format!(
        "<nil>: Invalid value: \"{{hostPath, emptyDir}}\": {wording}: "
    )]);
}

#[test]
fn each_of_several_flattened_unions_follows_its_own_rules() {
    let old = json!({"kind": "Alpha", "alpha": 1, "hostPath": 1, "of": "Pod", "pod": "p"});
    let new = json!({
        "kind": "Beta", "alpha": 1, "beta": 2,
        "hostPath": 1, "emptyDir": 2,
        "of": "Service", "pod": "p",
    });
    let answer = update::<ThreeFlattened>(&old, &new);
    answer.assert_lines(
        &["alpha: cleared", "hostPath: cleared", "pod: cleared"],
        &[],
        &[],
    );
    assert_eq!(
        answer.object,
        json!({"kind": "Beta", "beta": 2, "emptyDir": 2, "of": "Service"})
    );
    create::<ThreeFlattened>(&new).assert_lines(&[], &["alpha", "", "pod"], &[]);
}

#[test]
fn a_change_of_one_flattened_union_does_not_affect_another() {
    let old = json!({"kind": "Alpha", "alpha": 1, "of": "Pod", "pod": "p"});
    let new =
        json!({"kind": "Beta", "alpha": 1, "beta": 2, "of": "Pod", "pod": "p", "service": "s"});
    update::<ThreeFlattened>(&old, &new).assert_lines(&["alpha: cleared"], &["service"], &[]);
}

#[test]
fn a_parents_own_union_precedes_a_boxed_flattened_union() {
    let old = json!({"first": 1, "kind": "Alpha", "alpha": 1});
    let new = json!({"first": 1, "second": 2, "kind": "Beta", "alpha": 1, "beta": 2});
    let answer = update::<OwnAndFlattened>(&old, &new);
    answer.assert_lines(&["first: cleared", "alpha: cleared"], &[], &[]);
    assert_eq!(
        answer.object,
        json!({"second": 2, "kind": "Beta", "beta": 2})
    );
    create::<OwnAndFlattened>(&new).assert_lines(&[], &["", "alpha"], &[]);
}

#[test]
fn an_absent_optional_flattened_struct_has_no_errors() {
    create::<OptionalFlattened>(&json!({"name": "a"})).assert_lines(&[], &[], &[]);
    let old = json!({"name": "a", "kind": "Alpha", "alpha": 1, "hostPath": 1});
    update::<OptionalFlattened>(&old, &json!({"name": "b"})).assert_lines(&[], &[], &[]);
}

#[test]
fn a_present_optional_flattened_struct_is_validated() {
    let old = json!({"name": "a", "kind": "Alpha", "alpha": 1, "hostPath": 1});
    let new =
        json!({"name": "a", "kind": "Beta", "alpha": 1, "beta": 2, "hostPath": 1, "emptyDir": 2});
    let answer = update::<OptionalFlattened>(&old, &new);
    answer.assert_lines(&["alpha: cleared", "hostPath: cleared"], &[], &[]);
    create::<OptionalFlattened>(&new).assert_lines(&[], &["alpha", ""], &[]);
}

/// The parent existed before the flattened struct, and its discriminator changed from missing to
/// `Beta`, so that the member `alpha` is cleared.
#[test]
fn a_new_flattened_struct_is_validated_as_an_update_of_the_parent() {
    let old = json!({"name": "a"});
    let new = json!({"name": "a", "kind": "Beta", "alpha": 1, "beta": 2});
    let answer = update::<OptionalFlattened>(&old, &new);
    answer.assert_lines(&["alpha: cleared"], &[], &[]);
}

#[test]
fn a_discriminator_that_appears_in_a_flattened_struct_clears_members() {
    let old = json!({"kind": "Nothing", "pod": "p"});
    let new = json!({"kind": "Nothing", "pod": "p", "of": "Service"});
    update::<ThreeFlattened>(&old, &new).assert_lines(&["pod: cleared"], &[], &[]);
}

#[test]
fn unions_that_are_flattened_twice_are_at_the_outermost_path() {
    let old = json!({"name": "a", "kind": "Alpha", "alpha": 1, "hostPath": 1});
    let new =
        json!({"name": "a", "kind": "Beta", "alpha": 1, "beta": 2, "hostPath": 1, "emptyDir": 2});
    let answer = update::<FlattenedTwice>(&old, &new);
    answer.assert_lines(&["alpha: cleared", "hostPath: cleared"], &[], &[]);
    create::<FlattenedTwice>(&new).assert_lines(&[], &["alpha", ""], &[]);
}

#[test]
fn a_stored_violation_of_a_flattened_union_is_tolerated_for_the_same_reason() {
    let old = json!({"name": "a", "kind": "Beta", "alpha": 1, "beta": 2});
    let new = json!({"name": "b", "kind": "Beta", "alpha": 3, "beta": 4});
    update::<OneFlattened>(&old, &new).assert_lines(&[], &[], &["alpha"]);
    let new = json!({"name": "a", "kind": "Nothing", "beta": 1});
    update::<OneFlattened>(&json!({"name": "a", "kind": "Nothing", "alpha": 1}), &new)
        .assert_lines(&[], &["beta"], &[]);
}

#[test]
fn unchanged_means_that_the_whole_parent_is_unchanged() {
    let old = json!({"name": "a", "kind": "Beta", "alpha": 1, "beta": 2});
    update_with_ratchet::<OneFlattened>(Ratchet::Unchanged, &old, &old).assert_lines(
        &[],
        &[],
        &["alpha"],
    );
    let renamed = json!({"name": "b", "kind": "Beta", "alpha": 1, "beta": 2});
    update_with_ratchet::<OneFlattened>(Ratchet::Unchanged, &old, &renamed).assert_lines(
        &[],
        &["alpha"],
        &[],
    );
    update_with_ratchet::<OneFlattened>(Ratchet::Off, &old, &old).assert_lines(
        &[],
        &["alpha"],
        &[],
    );
}

#[test]
fn unchanged_compares_other_flattened_structs_as_parts_of_the_parent() {
    let old = json!({"kind": "Beta", "alpha": 1, "beta": 2, "hostPath": 1});
    let new = json!({"kind": "Beta", "alpha": 1, "beta": 2, "hostPath": 2});
    update_with_ratchet::<ThreeFlattened>(Ratchet::Unchanged, &old, &old).assert_lines(
        &[],
        &[],
        &["alpha"],
    );
    update_with_ratchet::<ThreeFlattened>(Ratchet::Unchanged, &old, &new).assert_lines(
        &[],
        &["alpha"],
        &[],
    );
    update_with_ratchet::<ThreeFlattened>(Ratchet::SameReason, &old, &new).assert_lines(
        &[],
        &[],
        &["alpha"],
    );
}

#[test]
fn a_valid_object_is_accepted_for_every_old_object() {
    let valid = json!({"kind": "Beta", "beta": 2, "hostPath": 1, "of": "Service"});
    let old_objects: [Value; 3] = [
        json!({"kind": "Alpha", "beta": 2, "hostPath": 1, "emptyDir": 1, "pod": "p"}),
        json!({"kind": "Nothing"}),
        valid.clone(),
    ];
    for old in &old_objects {
        for ratchet in RATCHETS {
            let answer = update_with_ratchet::<ThreeFlattened>(ratchet, old, &valid);
            answer.assert_lines(&[], &[], &[]);
            assert_eq!(answer.object, valid);
        }
    }
}

#[test]
fn the_unions_of_the_struct_precede_the_unions_of_flattened_structs() {
    let mut first_members = Vec::new();
    OwnAndFlattened::visit_unions(&mut |union| {
        first_members.push(union.member(0).expect("a present value").name().to_owned());
    });
    assert_eq!(first_members, ["first", "alpha"]);
    assert_eq!(OwnAndFlattened::unions().len(), 1);
    let mut count = 0;
    FlattenedTwice::visit_unions(&mut |_| count += 1);
    assert_eq!(count, 2);
    let parent: FlattenedTwice = read(&json!({"name": "a", "kind": "Nothing"}));
    assert_eq!(parent.one.name, "a");
}
