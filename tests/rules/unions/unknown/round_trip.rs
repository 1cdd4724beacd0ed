//! Tests that an object which is read and written back is equal to the original and has no field
//! twice, with each kind of map.

use proptest::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use union_runtime::Union;

use crate::unions::unknown::objects::{choice, config, nested_unions};
use crate::unions::unknown::types::{
    Choice, Element, Generic, KeptInHashMap, KeptInJsonMap, KeptInOwnMap, NestedUnions,
};
use crate::unions::unknown::{read, to_json};

/// Reads an object from a string and from a `Value`, writes both, and compares them with the
/// original.
#[track_caller]
fn assert_round_trips<T: Union + Serialize + DeserializeOwned>(object: &Value) {
    assert_eq!(to_json(&read::<T>(object)), *object, "read from a value");
    let text = object.to_string();
    // serde_json rounds the last digit of some floats for every target type.
    let object: Value = serde_json::from_str(&text).expect("valid JSON");
    let from_text: T =
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
    assert_eq!(to_json(&from_text), object, "read from a string");
    // A field that is written twice makes the JSON longer.
    let rewritten = serde_json::to_string(&from_text).expect("valid JSON");
    assert_eq!(rewritten.len(), object.to_string().len(), "{rewritten}");
}

proptest! {
    #![proptest_config(config(400))]

    #[test]
    fn an_object_of_any_kind_is_written_unchanged(object in choice()) {
        assert_round_trips::<Choice>(&object);
        assert_round_trips::<KeptInHashMap>(&object);
        assert_round_trips::<KeptInJsonMap>(&object);
        assert_round_trips::<Generic<u32>>(&object);
        assert_round_trips::<KeptInOwnMap>(&object);
    }

    #[test]
    fn a_parent_is_written_unchanged(object in nested_unions()) {
        assert_round_trips::<NestedUnions>(&object);
    }
}

#[test]
fn a_member_and_a_value_of_a_newer_server_survive() {
    assert_round_trips::<Choice>(
        &json!({ "kind": "Gamma", "gamma": { "size": 1, "parts": [null, {}] } }),
    );
}

#[test]
fn the_null_of_an_unknown_field_survives() {
    assert_round_trips::<Choice>(&json!({ "kind": "Gamma", "gamma": null }));
}

#[test]
fn a_field_with_the_name_of_the_map_is_an_entry_of_the_map() {
    assert_round_trips::<Choice>(&json!({ "kind": "Nothing", "rest": { "rest": 1 } }));
    assert_round_trips::<KeptInHashMap>(&json!({ "others": 1, "cache": 2 }));
}

#[test]
fn an_absent_discriminator_stays_absent() {
    assert_round_trips::<KeptInHashMap>(&json!({ "gamma": 1 }));
}

#[test]
fn numbers_at_their_limits_survive() {
    let numbers = json!([u64::MAX, i64::MIN, f64::MAX, f64::MIN_POSITIVE, -0.0, 0.1]);
    assert_round_trips::<Choice>(&json!({ "kind": "Gamma", "gamma": numbers }));
}

#[test]
fn a_flattened_struct_keeps_the_unknown_fields_of_its_parent() {
    assert_round_trips::<Element>(
        &json!({ "name": "a", "kind": "Gamma", "gamma": 1, "color": "red" }),
    );
}
