//! Tests that an object which is read and written back is equal to the original and has no field
//! twice, with each kind of map.

use proptest::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use union_runtime::Union;

use crate::unions::unknown::objects::{choice, config, world};
use crate::unions::unknown::types::{Choice, Element, Generic, Hashed, Mapped, Own, World};
use crate::unions::unknown::{read, written};

/// Reads an object from a string and from a `Value`, writes both, and compares them with the
/// original.
#[track_caller]
fn survives<T: Union + Serialize + DeserializeOwned>(object: &Value) {
    assert_eq!(written(&read::<T>(object)), *object, "by tree");
    let text = object.to_string();
    // serde_json rounds the last digit of some floats for every target type.
    let object: Value = serde_json::from_str(&text).expect("valid JSON");
    let from_text: T =
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
    assert_eq!(written(&from_text), object, "by text");
    // A field that is written twice makes the JSON longer.
    let again = serde_json::to_string(&from_text).expect("valid JSON");
    assert_eq!(again.len(), object.to_string().len(), "{again}");
}

proptest! {
    #![proptest_config(config(400))]

    #[test]
    fn an_object_of_any_kind_is_written_as_it_was_read(object in choice()) {
        survives::<Choice>(&object);
        survives::<Hashed>(&object);
        survives::<Mapped>(&object);
        survives::<Generic<u32>>(&object);
        survives::<Own>(&object);
    }

    #[test]
    fn a_parent_is_written_as_it_was_read(object in world()) {
        survives::<World>(&object);
    }
}

#[test]
fn a_member_and_a_value_of_a_newer_server_survive() {
    survives::<Choice>(&json!({ "kind": "Gamma", "gamma": { "size": 1, "parts": [null, {}] } }));
}

#[test]
fn a_null_that_is_not_known_survives() {
    survives::<Choice>(&json!({ "kind": "Gamma", "gamma": null }));
}

#[test]
fn a_field_with_the_name_of_the_map_is_an_entry_of_the_map() {
    survives::<Choice>(&json!({ "kind": "Nothing", "rest": { "rest": 1 } }));
    survives::<Hashed>(&json!({ "others": 1, "cache": 2 }));
}

#[test]
fn an_absent_discriminator_stays_absent() {
    survives::<Hashed>(&json!({ "gamma": 1 }));
}

#[test]
fn numbers_at_their_limits_survive() {
    let numbers = json!([u64::MAX, i64::MIN, f64::MAX, f64::MIN_POSITIVE, -0.0, 0.1]);
    survives::<Choice>(&json!({ "kind": "Gamma", "gamma": numbers }));
}

#[test]
fn a_flattened_struct_keeps_the_unknown_fields_of_its_parent() {
    survives::<Element>(&json!({ "name": "a", "kind": "Gamma", "gamma": 1, "color": "red" }));
}
