//! Tests of the comparator with the errors of another validator.

use serde_json::json;
use union_runtime::Ratchet;
use union_runtime::comparator::{Comparison, RatchetedErrors};
use union_runtime::path::FieldPath;

#[test]
fn errors_of_another_validator_are_split_as_each_ratchet_prescribes() {
    let schema = crate::schema(json!({"type": "object", "properties": {
        "l": {
            "type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"],
            "items": {"type": "object", "required": ["k"], "properties": {"k": {"type": "string"}, "v": {"type": "integer"}}},
        },
        "m": {"type": "object", "additionalProperties": {"type": "integer"}},
    }}));
    let old = json!({"spec": {"l": [{"k": "a", "v": 1}, {"k": "b", "v": 2}], "m": {"x.y": 1}}});
    let new = json!({"spec": {"l": [{"k": "b", "v": 3}, {"k": "a", "v": 1}, {"k": "c", "v": 9}], "m": {"x.y": 1}}});
    let comparison = Comparison::new(schema.root(), &new, &old);

    let spec = FieldPath::from(["spec"]);
    let element_path = |position| spec.clone().field("l").index(position).field("v");
    let entry_path = spec.clone().field("m").key("x.y");
    let missing_path = spec.clone().field("q");
    let old_errors = [
        (element_path(0), "odd"),
        (element_path(1), "small"),
        (entry_path.clone(), "odd"),
        (missing_path.clone(), "required"),
    ];
    let new_errors = vec![
        (element_path(0), "small"),
        (element_path(0), "odd"),
        (element_path(1), "odd"),
        (element_path(2), "odd"),
        (entry_path.clone(), "odd"),
        (missing_path, "required"),
    ];
    let same_reason = comparison.split(
        new_errors.clone(),
        &old_errors,
        Ratchet::SameReason,
        Clone::clone,
    );
    assert_eq!(
        same_reason.new,
        [(element_path(0), "odd"), (element_path(2), "odd")]
    );

    let unchanged = comparison.split(
        new_errors.clone(),
        &old_errors,
        Ratchet::Unchanged,
        Clone::clone,
    );
    assert_eq!(
        unchanged.tolerated,
        [(element_path(1), "odd"), (entry_path, "odd")]
    );

    let ratchet_off = comparison.split(new_errors.clone(), &old_errors, Ratchet::Off, Clone::clone);
    assert_eq!(
        ratchet_off,
        RatchetedErrors {
            new: new_errors,
            tolerated: vec![]
        }
    );
}

#[test]
fn children_are_found_by_key_position_and_map_key() {
    let schema = crate::schema(json!({"type": "object", "properties": {"l": {
        "type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"],
        "items": {"type": "object", "required": ["k"], "properties": {"k": {"type": "string"}, "v": {"type": "integer"}}},
    }}}));
    let old = json!({"spec": {"l": [{"k": "a", "v": 1}]}});
    let new = json!({"spec": {"l": [{"k": "b"}, {"k": "a", "v": 1}]}});
    let comparison = Comparison::new(schema.root(), &new, &old);
    let list = comparison.root().key("spec").unwrap().key("l").unwrap();
    assert!(!list.is_unchanged());
    assert_eq!(list.index(0).unwrap().old(), None);
    assert!(list.index(1).unwrap().is_unchanged());
    assert!(list.element(&[("k", &json!("a"))]).unwrap().is_unchanged());
    assert!(list.element(&[("k", &json!("z"))]).is_none());
    let missing_element = FieldPath::from(["spec", "l"]).index(7);
    assert!(comparison.find(&missing_element).is_none());
}
