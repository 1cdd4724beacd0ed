//! The comparator, with a validator of somebody else's.

use serde_json::json;
use union_runtime::Ratchet;
use union_runtime::comparator::{Comparison, RatchetedErrors};
use union_runtime::path::FieldPath;

#[test]
fn errors_of_a_validator_are_split_by_either_rule() {
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
    let element = |position| spec.clone().field("l").index(position).field("v");
    let entry = spec.clone().field("m").key("x.y");
    let missing = spec.clone().field("q");
    let of_old = [
        (element(0), "odd"),
        (element(1), "small"),
        (entry.clone(), "odd"),
        (missing.clone(), "required"),
    ];
    let of_new = vec![
        (element(0), "small"),
        (element(0), "odd"),
        (element(1), "odd"),
        (element(2), "odd"),
        (entry.clone(), "odd"),
        (missing, "required"),
    ];
    let same = comparison.split(of_new.clone(), &of_old, Ratchet::SameReason, Clone::clone);
    assert_eq!(same.new, [(element(0), "odd"), (element(2), "odd")]);

    let unchanged = comparison.split(of_new.clone(), &of_old, Ratchet::Unchanged, Clone::clone);
    assert_eq!(unchanged.tolerated, [(element(1), "odd"), (entry, "odd")]);

    let off = comparison.split(of_new.clone(), &of_old, Ratchet::Off, Clone::clone);
    assert_eq!(
        off,
        RatchetedErrors {
            new: of_new,
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
    let seventh = FieldPath::from(["spec", "l"]).index(7);
    assert!(comparison.find(&seventh).is_none());
}
