//! Tests of the settings of a request: unions off, ratchet off, and the default ratchet.

use serde_json::json;
use union_runtime::{Ratchet, Report, Settings, Union, schema_for};

use crate::judge::{assert_rejected, assert_tolerated};
use crate::unions::real_types::answer::read;
use crate::unions::real_types::kep::Union2;
use crate::unions::unknown;
use crate::unions::unknown::types::Choice;
use crate::unions::whole_model::samples::{ExactlyOne1, OptionalText};
use crate::unions::whole_model::states;

#[test]
fn with_the_ratchet_off_no_violation_is_tolerated() {
    for (object, fields) in [
        (json!({"type": "ALPHA", "alpha": 1, "beta": 2}), ["beta"]),
        (json!({"type": "ALPHA"}), ["alpha"]),
        (json!({"type": "GAMMA"}), ["type"]),
        (json!({}), ["type"]),
    ] {
        assert_rejected::<Union2>(&object, &object, Ratchet::Off, &fields);
    }
    let valid = json!({"type": "BETA"});
    assert_tolerated::<Union2>(&valid, &json!({}), Ratchet::Off, &[]);
}

#[test]
fn same_reason_is_the_default_of_functions_and_methods() {
    assert_eq!(Settings::default().ratchet, Ratchet::SameReason);
    assert!(Settings::default().unions);
    let invalid_object: Union2 = read(json!({"type": "ALPHA", "beta": 1}));
    let report = invalid_object.validate_unions_update(&invalid_object, &Settings::default());
    let same_reason = Settings::default().ratchet(Ratchet::SameReason);
    assert_eq!(
        report,
        invalid_object.validate_unions_update(&invalid_object, &same_reason)
    );
    assert!(report.is_accepted(), "no error is new");
    assert_eq!(report.tolerated().len(), 2);
}

#[test]
fn with_unions_off_objects_are_unchanged_and_the_schema_keeps_its_markers() {
    let off = Settings::default().unions(false);
    let old: Union2 = read(json!({"type": "ALPHA", "alpha": 1}));
    let mut new: Union2 = read(json!({"type": "BETA", "alpha": 1}));
    assert!(new.normalize_unions(Some(&old), &off).is_empty());
    assert_eq!(new.admit_unions(None, &off), Report::default());
    assert_eq!(new.admit_unions(Some(&old), &off), Report::default());
    let json = serde_json::to_value(&new).expect("a serializable value");
    assert_eq!(json, json!({"type": "BETA", "alpha": 1}));
    let schema = schema_for::<Union2>();
    assert!(
        schema
            .as_value()
            .pointer("/properties/type/x-kubernetes-unions")
            .is_some()
    );
}

#[test]
fn with_unions_off_nothing_is_changed_or_reported() {
    let off = Settings::default().unions(false);
    let old: OptionalText = states::read(json!({"kind": "A", "a": 1}));
    let mut new: OptionalText = states::read(json!({"kind": "B", "a": 1, "b": 1, "c": 1}));
    assert_eq!(new.admit_unions(Some(&old), &off), Report::default());
    assert_eq!(
        states::as_json(&new),
        json!({"kind": "B", "a": 1, "b": 1, "c": 1})
    );
    let mut without_member: ExactlyOne1 = states::read(json!({}));
    assert_eq!(without_member.admit_unions(None, &off), Report::default());
}

#[test]
fn with_unions_off_unknown_members_are_not_cleared() {
    let old: Choice = unknown::read(&json!({ "kind": "Gamma", "gamma": 1 }));
    let object = json!({ "kind": "Nothing", "gamma": 1 });
    let mut new: Choice = unknown::read(&object);
    let settings = Settings::default().unions(false);
    assert!(new.admit_unions(Some(&old), &settings).is_accepted());
    assert_eq!(unknown::to_json(&new), object);
}
