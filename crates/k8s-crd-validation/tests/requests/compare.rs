//! The comparator, with a validator of somebody else's.

use serde_json::json;
use union_runtime::Ratchet;
use union_runtime::comparator::{Comparison, Split};

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

    let of_old = [
        ("spec.l[0].v", "odd"),
        ("spec.l[1].v", "small"),
        ("spec.m[x.y]", "odd"),
        ("spec.q", "required"),
    ];
    let of_new = vec![
        ("spec.l[0].v", "small"),
        ("spec.l[0].v", "odd"),
        ("spec.l[1].v", "odd"),
        ("spec.l[2].v", "odd"),
        ("spec.m[x.y]", "odd"),
        ("spec.q", "required"),
    ];
    let same = comparison.split(of_new.clone(), &of_old, Ratchet::SameReason, tell);
    assert_eq!(same.new, [("spec.l[0].v", "odd"), ("spec.l[2].v", "odd")]);

    let unchanged = comparison.split(of_new.clone(), &of_old, Ratchet::Unchanged, tell);
    assert_eq!(
        unchanged.tolerated,
        [("spec.l[1].v", "odd"), ("spec.m[x.y]", "odd")]
    );

    let off = comparison.split(of_new.clone(), &of_old, Ratchet::Off, tell);
    assert_eq!(
        off,
        Split {
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
    assert!(comparison.at("spec.l[7]").is_none());
}

fn tell<'e>(error: &'e (&'static str, &'static str)) -> (&'e str, &'e str) {
    *error
}
