//! Tests that validation treats unknown values in the same way with and without a map of unknown
//! members: a new unknown value is rejected, an old unknown value is tolerated.

use serde_json::json;
use union_runtime::{Ratchet, Settings, Union};

use crate::unions::unknown::read;
use crate::unions::unknown::types::{Choice, NestedUnions};

#[test]
fn an_unknown_value_is_rejected_on_a_create() {
    let new: Choice = read(&json!({ "kind": "Gamma", "gamma": 1 }));
    assert_eq!(
        new.validate_unions().to_string(),
        "kind: Unsupported value: \"Gamma\": supported values: \"Alpha\", \"Beta\", \"Nothing\"",
    );
}

#[test]
fn a_stored_unknown_value_is_tolerated_for_every_change_of_its_member() {
    let old: Choice = read(&json!({ "kind": "Gamma", "gamma": 1 }));
    for member in [json!(1), json!(2), json!(null)] {
        let new: Choice = read(&json!({ "kind": "Gamma", "gamma": member }));
        let report = new.validate_unions_update(&old, &Settings::default());
        assert!(report.is_accepted(), "the error is not new");
        assert_eq!(report.tolerated().len(), 1);
    }
}

#[test]
fn a_change_of_an_unknown_member_is_a_change_of_the_struct() {
    let settings = Settings::default().ratchet(Ratchet::Unchanged);
    let old: Choice = read(&json!({ "kind": "Gamma", "gamma": 1 }));
    let new: Choice = read(&json!({ "kind": "Gamma", "gamma": 2 }));
    assert!(old.validate_unions_update(&old, &settings).is_accepted());
    assert!(!new.validate_unions_update(&old, &settings).is_accepted());
}

#[test]
fn an_unknown_member_beside_a_known_value_is_no_violation() {
    // A server that drops unknown fields accepts the object too.
    let object: Choice = read(&json!({ "kind": "Alpha", "alpha": 1, "gamma": 1 }));
    assert!(object.validate_unions().is_accepted());
    assert!(
        object
            .validate_unions_update(&object, &Settings::default())
            .is_accepted()
    );
}

#[test]
fn errors_beside_unknown_members_are_reported() {
    let object: NestedUnions = read(&json!({
        "one": { "kind": "Alpha", "gamma": 1 },
        "byName": [{ "name": "a", "kind": "Nothing", "alpha": 1, "color": "red" }],
        "map": {},
        "plain": [],
    }));
    let report = object.validate_unions();
    let paths: Vec<&str> = report
        .errors()
        .iter()
        .map(|violation| violation.path().as_str())
        .collect();
    assert_eq!(paths, ["byName[0].alpha", "one.alpha"]);
}
