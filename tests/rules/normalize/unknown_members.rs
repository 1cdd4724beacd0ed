//! Tests of the unknown members that an update clears: only the member of the value that the
//! discriminator had before.

use proptest::prelude::*;
use serde_json::{Value, json};
use union_oracle::{Absence, Discriminator, Member};
use union_runtime::path::FieldPath;
use union_runtime::{Settings, Union};

use crate::unions::unknown::objects::{choices, config};
use crate::unions::unknown::types::{
    Choice, Generic, KeptInHashMap, KeptInJsonMap, KeptInOwnMap, NestedUnions,
};
use crate::unions::unknown::{read, to_json};

/// Updates an object, asserts that the normalized object is `expected`, and returns the changes.
#[track_caller]
fn assert_update_becomes(old: &Value, new: &Value, expected: &Value) -> String {
    let (old, mut new): (Choice, Choice) = (read(old), read(new));
    let changes = new.normalize_unions(Some(&old), &Settings::default());
    assert_eq!(to_json(&new), *expected);
    changes.to_string()
}

/// Asserts that an update changes nothing.
#[track_caller]
fn assert_update_changes_nothing(old: &Value, new: &Value) {
    assert_eq!(assert_update_becomes(old, new, new), "");
}

#[test]
fn a_change_from_an_unknown_to_a_known_value_clears_the_unknown_member() {
    let changes = assert_update_becomes(
        &json!({ "kind": "Gamma", "gamma": { "size": 1 } }),
        &json!({ "kind": "Alpha", "alpha": 1, "gamma": { "size": 1 } }),
        &json!({ "kind": "Alpha", "alpha": 1 }),
    );
    assert_eq!(changes, "gamma: cleared");
}

#[test]
fn a_change_to_a_value_without_a_member_also_clears() {
    let changes = assert_update_becomes(
        &json!({ "kind": "Gamma", "gamma": null }),
        &json!({ "kind": "Nothing", "gamma": null }),
        &json!({ "kind": "Nothing" }),
    );
    assert_eq!(changes, "gamma: cleared");
}

#[test]
fn the_name_of_an_unknown_member_equals_the_value_ignoring_case() {
    let changes = assert_update_becomes(
        &json!({ "kind": "URLRewrite", "urlRewrite": 1 }),
        &json!({
            "kind": "Nothing", "urlRewrite": 1, "URLREWRITE": 2, "urlRewrites": 3, "urlRewrit": 4, "url_rewrite": 5,
        }),
        &json!({ "kind": "Nothing", "urlRewrites": 3, "urlRewrit": 4, "url_rewrite": 5 }),
    );
    assert_eq!(changes, "URLREWRITE: cleared\nurlRewrite: cleared");
}

#[test]
fn only_ascii_letters_have_a_case() {
    assert_update_changes_nothing(
        &json!({ "kind": "É", "é": 1 }),
        &json!({ "kind": "Nothing", "é": 1 }),
    );
}

#[test]
fn known_members_are_cleared_too_and_reported_first() {
    let changes = assert_update_becomes(
        &json!({ "kind": "Gamma", "alpha": 1, "gamma": 1 }),
        &json!({ "kind": "Beta", "alpha": 1, "gamma": 1, "delta": 1 }),
        &json!({ "kind": "Beta", "delta": 1 }),
    );
    assert_eq!(changes, "alpha: cleared\ngamma: cleared");
}

#[test]
fn an_added_unknown_member_is_cleared_too() {
    let changes = assert_update_becomes(
        &json!({ "kind": "Gamma" }),
        &json!({ "kind": "Alpha", "alpha": 1, "gamma": 1 }),
        &json!({ "kind": "Alpha", "alpha": 1 }),
    );
    assert_eq!(changes, "gamma: cleared");
}

#[test]
fn a_value_that_differs_from_a_known_value_in_case_is_unknown() {
    // The field `alpha` has the name of the old value and is known, so it is cleared as a known
    // member, and reported once.
    let changes = assert_update_becomes(
        &json!({ "kind": "alpha", "alpha": 1, "ALPHA": 2 }),
        &json!({ "kind": "Beta", "alpha": 1, "ALPHA": 2 }),
        &json!({ "kind": "Beta" }),
    );
    assert_eq!(changes, "alpha: cleared\nALPHA: cleared");
}

#[test]
fn a_value_that_equals_the_name_of_the_discriminator_does_not_clear_it() {
    assert_update_changes_nothing(&json!({ "kind": "Kind" }), &json!({ "kind": "Nothing" }));
}

#[test]
fn a_change_between_known_values_keeps_unknown_members() {
    let changes = assert_update_becomes(
        &json!({ "kind": "Beta", "beta": [], "gamma": 1, "Beta": 2 }),
        &json!({ "kind": "Alpha", "alpha": 1, "beta": [], "gamma": 1, "Beta": 2 }),
        &json!({ "kind": "Alpha", "alpha": 1, "gamma": 1, "Beta": 2 }),
    );
    assert_eq!(changes, "beta: cleared");
}

#[test]
fn a_change_to_an_unknown_value_clears_nothing() {
    assert_update_changes_nothing(
        &json!({ "kind": "Gamma", "gamma": 1 }),
        &json!({ "kind": "Delta", "gamma": 1, "delta": 1 }),
    );
    assert_update_changes_nothing(
        &json!({ "kind": "Alpha", "alpha": 1 }),
        &json!({ "kind": "Gamma", "alpha": 1, "gamma": 1 }),
    );
}

#[test]
fn an_unchanged_discriminator_clears_nothing() {
    for kind in ["Gamma", "Nothing"] {
        let object = json!({ "kind": kind, "gamma": 1, "delta": 1 });
        assert_update_changes_nothing(&object, &object);
    }
}

#[test]
fn a_create_clears_nothing() {
    let object = json!({ "kind": "Alpha", "alpha": 1, "gamma": 1 });
    let mut new: Choice = read(&object);
    assert!(new.normalize_unions(None, &Settings::default()).is_empty());
    assert_eq!(to_json(&new), object);
}

#[test]
fn a_removed_discriminator_clears_the_member_if_absence_is_a_value() {
    let old: KeptInHashMap = read(&json!({ "kind": "Gamma", "gamma": 1 }));
    let mut new: KeptInHashMap = read(&json!({ "gamma": 1, "delta": 2 }));
    assert_eq!(
        new.normalize_unions(Some(&old), &Settings::default())
            .to_string(),
        "gamma: cleared"
    );
    assert_eq!(to_json(&new), json!({ "delta": 2 }));
}

#[test]
fn changes_have_paths_from_the_root() {
    let gamma = json!({ "kind": "Gamma", "gamma": 1 });
    let element = json!({ "name": "a", "kind": "Gamma", "gamma": 1 });
    let old = json!({
        "one": gamma, "maybe": gamma, "byName": [element], "map": { "x": gamma }, "plain": [gamma],
    });
    let mut new = old.clone();
    for pointer in ["/one", "/maybe", "/byName/0", "/map/x", "/plain/0"] {
        let object = new.pointer_mut(pointer).expect("a present value");
        object["kind"] = "Nothing".into();
    }
    let new_element = json!({ "name": "b", "kind": "Nothing", "gamma": 2 });
    let elements = new["byName"].as_array_mut().expect("a list");
    elements.insert(0, new_element.clone());

    let (old, mut new_object): (NestedUnions, NestedUnions) = (read(&old), read(&new));
    let changes = new_object.normalize_unions(Some(&old), &Settings::default());

    let cleared: Vec<&str> = changes.cleared().map(AsRef::as_ref).collect();
    // An element of a list without keys has no correlated old element, so its member stays.
    assert_eq!(
        cleared,
        [
            "byName[1].gamma",
            "map[x].gamma",
            "maybe.gamma",
            "one.gamma"
        ]
    );
    let cleared_choice = json!({ "kind": "Nothing" });
    assert_eq!(
        to_json(&new_object),
        json!({
            "one": cleared_choice,
            "maybe": cleared_choice,
            "byName": [new_element, { "name": "a", "kind": "Nothing" }],
            "map": { "x": cleared_choice },
            "plain": [{ "kind": "Nothing", "gamma": 1 }],
        })
    );
}

#[test]
fn a_server_side_apply_is_an_update_of_the_live_object() {
    let live: Choice = read(&json!({ "kind": "Gamma", "gamma": 1 }));
    let applied: Choice = read(&json!({ "kind": "Alpha", "alpha": 1 }));
    let mut merged: Choice = read(&json!({ "kind": "Alpha", "alpha": 1, "gamma": 1 }));
    let report = merged.normalize_unions_apply(&applied, Some(&live), &Settings::default());
    assert!(report.is_accepted(), "the intent is clear");
    assert_eq!(report.changes().to_string(), "gamma: cleared");
    assert_eq!(merged, applied);
}

/// Returns the union that the types of this module share, as data for the oracle.
fn choice<'a>(values: &'a [&'a str]) -> union_oracle::Union<'a> {
    let member = |field, value| Member {
        field,
        value,
        optional: false,
    };
    union_oracle::Union {
        discriminator: Some(Discriminator {
            field: "kind",
            values: Some(values),
            absence: Absence::Unreadable,
            is_lenient: true,
            is_deduced: false,
        }),
        members: vec![member("alpha", "Alpha"), member("beta", "Beta")],
        requires_member: false,
        known_fields: Some(vec!["kind", "alpha", "beta"]),
    }
}

/// Asserts that an update of one type is normalized to the object of the oracle, with the same
/// changes.
macro_rules! assert_matches_oracle {
    ($ty:ty, $values:expr, $old:expr, $new:expr) => {{
        let expected = choice(&$values).normalize(&$new, Some(&$old));
        let expected_cleared = &expected.cleared;
        let (old, mut new): ($ty, $ty) = (read(&$old), read(&$new));
        let changes = new.normalize_unions(Some(&old), &Settings::default());
        prop_assert_eq!(to_json(&new), expected.object);
        let cleared: Vec<&FieldPath> = changes.cleared().collect();
        let expected: Vec<FieldPath> = expected_cleared
            .iter()
            .map(|field| [field.as_ref()].into())
            .collect();
        prop_assert_eq!(cleared, expected.iter().collect::<Vec<_>>());
        prop_assert_eq!(changes.len(), expected_cleared.len());
        prop_assert!(
            new.normalize_unions(Some(&old), &Settings::default())
                .is_empty(),
            "once is enough"
        );
    }};
}

proptest! {
    #![proptest_config(config(1500))]

    #[test]
    fn every_update_matches_the_oracle((old, new) in choices()) {
        let values = ["Alpha", "Beta", "Nothing"];
        assert_matches_oracle!(Choice, values, old, new);
        assert_matches_oracle!(KeptInJsonMap, values, old, new);
        assert_matches_oracle!(Generic<u32>, values, old, new);
        assert_matches_oracle!(KeptInOwnMap, values, old, new);
        assert_matches_oracle!(KeptInHashMap, ["", "Alpha", "Beta"], old, new);
    }
}
