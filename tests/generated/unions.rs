//! Tests of the unions of generated types, validated from the root of a kind.

use serde_json::{Value, json};
use union_runtime::{Settings, Union};
use union_tests_generated::types::stall::v1::{Stall, StallByName, StallCode, StallFirst};

fn stall(spec: &Value) -> Stall {
    let object = json!({
        "apiVersion": "tests.example.com/v1", "kind": "Stall", "metadata": { "name": "a" }, "spec": spec,
    });
    serde_json::from_value(object).unwrap()
}

#[test]
fn unions_in_fields_maps_lists_and_enums_are_validated() {
    let invalid_source = json!({ "type": "Git" });
    let stall = stall(&json!({
        "source": invalid_source,
        "byName": { "b": invalid_source },
        "first": { "type": "Own", "own": { "source": invalid_source } },
        "shelves": [{ "name": "a", "side": "Left", "source": invalid_source }],
        "boxes": [{ "kind": "Wood" }],
    }));
    let errors = stall.validate_unions().to_string();
    let paths: Vec<&str> = errors
        .lines()
        .filter_map(|line| line.split_once(": ").map(|(path, _)| path))
        .collect();
    assert_eq!(
        paths,
        [
            "spec.boxes[0].wood",
            "spec.byName[b].git",
            "spec.first.own.source.git",
            "spec.shelves[0].source.git",
            "spec.source.git",
        ]
    );
}

#[test]
fn elements_are_paired_by_the_keys_of_their_list() {
    let valid_stall = stall(&json!({"boxes": [
        {"kind": "Wood", "wood": "oak"}, {"kind": "Paper", "paper": "thin"},
    ]}));
    // The old, invalid element is unchanged, and at another index.
    let invalid_stall = stall(&json!({"boxes": [
        {"kind": "Wood"}, {"kind": "Paper", "paper": "thin"},
    ]}));
    let reordered_stall = stall(&json!({"boxes": [
        {"kind": "Paper", "paper": "thick"}, {"kind": "Wood"},
    ]}));
    assert!(
        reordered_stall
            .validate_unions_update(&invalid_stall, &Settings::default())
            .is_accepted()
    );
    let errors = reordered_stall
        .validate_unions_update(&valid_stall, &Settings::default())
        .to_string();
    assert!(errors.starts_with("spec.boxes[1].wood: "), "{errors}");
}

#[test]
fn all_numbers_of_an_open_enum_are_kept() {
    let stall =
        stall(&json!({"code": 303, "first": {"type": "None"}, "byName": {"a": {"type": "Tape"}}}));
    assert_eq!(stall.spec.code, Some(StallCode::Other(303)));
    assert_eq!(StallCode::from(301), StallCode::Value301);
    assert_eq!(StallCode::VALUES, [301, 302, -1]);
    assert_eq!(stall.spec.first, Some(StallFirst::None));
    let by_name = stall.spec.by_name.unwrap();
    assert!(matches!(by_name["a"], StallByName::Other(_)));
}

#[test]
fn a_closed_enum_rejects_other_numbers() {
    use union_tests_generated::closed::stall::v1::StallCode;
    assert_eq!(StallCode::try_from(302), Ok(StallCode::Value302));
    assert_eq!(
        StallCode::try_from(303).unwrap_err(),
        "303 is not allowed; use one of [301, 302, -1]"
    );
}
