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
use crate::unions::unknown::{read, written};

/// Updates an object, asserts that the result is `becomes`, and returns the changes.
#[track_caller]
fn clears(old: &Value, new: &Value, becomes: &Value) -> String {
    let (old, mut new): (Choice, Choice) = (read(old), read(new));
    let changes = new.normalize_unions(Some(&old), &Settings::default());
    assert_eq!(written(&new), *becomes);
    changes.to_string()
}

/// Asserts that an update changes nothing.
#[track_caller]
fn stays(old: &Value, new: &Value) {
    assert_eq!(clears(old, new, new), "");
}

#[test]
fn a_change_from_an_unknown_to_a_known_value_clears_the_unknown_member() {
    let changes = clears(
        &json!({ "kind": "Gamma", "gamma": { "size": 1 } }),
        &json!({ "kind": "Alpha", "alpha": 1, "gamma": { "size": 1 } }),
        &json!({ "kind": "Alpha", "alpha": 1 }),
    );
    assert_eq!(changes, "gamma: cleared");
}

#[test]
fn a_change_to_a_value_without_a_member_also_clears() {
    let changes = clears(
        &json!({ "kind": "Gamma", "gamma": null }),
        &json!({ "kind": "Nothing", "gamma": null }),
        &json!({ "kind": "Nothing" }),
    );
    assert_eq!(changes, "gamma: cleared");
}

#[test]
fn the_name_of_an_unknown_member_equals_the_value_ignoring_case() {
    let changes = clears(
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
    stays(
        &json!({ "kind": "É", "é": 1 }),
        &json!({ "kind": "Nothing", "é": 1 }),
    );
}

#[test]
fn known_members_are_cleared_too_and_reported_first() {
    let changes = clears(
        &json!({ "kind": "Gamma", "alpha": 1, "gamma": 1 }),
        &json!({ "kind": "Beta", "alpha": 1, "gamma": 1, "delta": 1 }),
        &json!({ "kind": "Beta", "delta": 1 }),
    );
    assert_eq!(changes, "alpha: cleared\ngamma: cleared");
}

#[test]
fn an_added_unknown_member_is_cleared_too() {
    let changes = clears(
        &json!({ "kind": "Gamma" }),
        &json!({ "kind": "Alpha", "alpha": 1, "gamma": 1 }),
        &json!({ "kind": "Alpha", "alpha": 1 }),
    );
    assert_eq!(changes, "gamma: cleared");
}

#[test]
fn a_value_that_is_known_but_for_case_is_not_known() {
    // The field `alpha` has the name of the old value and is known, so it is cleared as a known
    // member, and reported once.
    let changes = clears(
        &json!({ "kind": "alpha", "alpha": 1, "ALPHA": 2 }),
        &json!({ "kind": "Beta", "alpha": 1, "ALPHA": 2 }),
        &json!({ "kind": "Beta" }),
    );
    assert_eq!(changes, "alpha: cleared\nALPHA: cleared");
}

#[test]
fn the_discriminator_is_not_cleared_by_a_value_of_its_name() {
    stays(&json!({ "kind": "Kind" }), &json!({ "kind": "Nothing" }));
}

#[test]
fn between_known_values_unknown_members_stay() {
    let changes = clears(
        &json!({ "kind": "Beta", "beta": [], "gamma": 1, "Beta": 2 }),
        &json!({ "kind": "Alpha", "alpha": 1, "beta": [], "gamma": 1, "Beta": 2 }),
        &json!({ "kind": "Alpha", "alpha": 1, "gamma": 1, "Beta": 2 }),
    );
    assert_eq!(changes, "beta: cleared");
}

#[test]
fn to_an_unknown_value_all_stays() {
    stays(
        &json!({ "kind": "Gamma", "gamma": 1 }),
        &json!({ "kind": "Delta", "gamma": 1, "delta": 1 }),
    );
    stays(
        &json!({ "kind": "Alpha", "alpha": 1 }),
        &json!({ "kind": "Gamma", "alpha": 1, "gamma": 1 }),
    );
}

#[test]
fn an_unchanged_discriminator_clears_nothing() {
    for kind in ["Gamma", "Nothing"] {
        let object = json!({ "kind": kind, "gamma": 1, "delta": 1 });
        stays(&object, &object);
    }
}

#[test]
fn a_create_clears_nothing() {
    let object = json!({ "kind": "Alpha", "alpha": 1, "gamma": 1 });
    let mut new: Choice = read(&object);
    assert!(new.normalize_unions(None, &Settings::default()).is_empty());
    assert_eq!(written(&new), object);
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
    assert_eq!(written(&new), json!({ "delta": 2 }));
}

#[test]
fn changes_have_paths_from_the_root() {
    let gamma = json!({ "kind": "Gamma", "gamma": 1 });
    let named = json!({ "name": "a", "kind": "Gamma", "gamma": 1 });
    let old = json!({
        "one": gamma, "maybe": gamma, "byName": [named], "map": { "x": gamma }, "plain": [gamma],
    });
    let mut new = old.clone();
    for place in ["/one", "/maybe", "/byName/0", "/map/x", "/plain/0"] {
        let object = new.pointer_mut(place).expect("a present value");
        object["kind"] = "Nothing".into();
    }
    let other = json!({ "name": "b", "kind": "Nothing", "gamma": 2 });
    let elements = new["byName"].as_array_mut().expect("a list");
    elements.insert(0, other.clone());

    let (old, mut typed): (NestedUnions, NestedUnions) = (read(&old), read(&new));
    let changes = typed.normalize_unions(Some(&old), &Settings::default());

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
    let nothing = json!({ "kind": "Nothing" });
    assert_eq!(
        written(&typed),
        json!({
            "one": nothing,
            "maybe": nothing,
            "byName": [other, { "name": "a", "kind": "Nothing" }],
            "map": { "x": nothing },
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
    assert!(report.is_accepted(), "it says one thing");
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

/// Checks that normalizing an update of one type gives the object and the changes of the oracle.
macro_rules! as_the_oracle_says {
    ($ty:ty, $values:expr, $old:expr, $new:expr) => {{
        let expected = choice(&$values).normalize(&$new, Some(&$old));
        let lost = &expected.cleared;
        let (old, mut new): ($ty, $ty) = (read(&$old), read(&$new));
        let changes = new.normalize_unions(Some(&old), &Settings::default());
        prop_assert_eq!(written(&new), expected.object);
        let cleared: Vec<&FieldPath> = changes.cleared().collect();
        let expected: Vec<FieldPath> = lost.iter().map(|field| [field.as_ref()].into()).collect();
        prop_assert_eq!(cleared, expected.iter().collect::<Vec<_>>());
        prop_assert_eq!(changes.len(), lost.len());
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
        as_the_oracle_says!(Choice, values, old, new);
        as_the_oracle_says!(KeptInJsonMap, values, old, new);
        as_the_oracle_says!(Generic<u32>, values, old, new);
        as_the_oracle_says!(KeptInOwnMap, values, old, new);
        as_the_oracle_says!(KeptInHashMap, ["", "Alpha", "Beta"], old, new);
    }
}
