//! Metadata may be any JSON there is: it is read or refused, and none panics.

use k8s_crd_validation::{StructuralSchema, reference};
use proptest::prelude::*;
use serde_json::{Value, json};

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        ".{0,6}".prop_map(Value::from),
    ];
    let key = prop_oneof![
        Just("name".to_owned()),
        Just("labels".to_owned()),
        Just("ownerReferences".to_owned()),
        Just("managedFields".to_owned()),
        Just("creationTimestamp".to_owned()),
        Just("finalizers".to_owned()),
        Just("generateName".to_owned()),
        Just("metadata".to_owned()),
        Just("kind".to_owned()),
        ".{0,3}",
    ];
    leaf.prop_recursive(4, 24, 5, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(key.clone(), inner, 0..6)
                .prop_map(|map| map.into_iter().collect()),
        ]
    })
}

proptest! {
    #[test]
    fn any_metadata_is_read_or_refused(new in any_json(), old in any_json()) {
        for is_stored in [true, false] {
            let mut metadata = new.clone();
            if reference::coerce(&mut metadata, is_stored).is_ok() {
                let mut again = metadata.clone();
                if metadata.is_object() {
                    prop_assert_eq!(reference::coerce(&mut again, false), Ok(()));
                    prop_assert_eq!(&again, &metadata);
                }
            }
        }
        // Even where nobody has read it before.
        let _ = reference::created(&new, true);
        let _ = reference::updated(&new, &old);
        let schema = json!({
            "type": "object", "x-kubernetes-preserve-unknown-fields": true, "x-kubernetes-embedded-resource": true,
            "properties": { "finalizers": {
                "type": "object", "x-kubernetes-preserve-unknown-fields": true, "x-kubernetes-embedded-resource": true,
            } },
        });
        if let Ok(schema) = StructuralSchema::compile(&schema) {
            let _ = reference::embedded(&schema, &mut new.clone());
        }
    }
}

#[test]
fn good_metadata_takes_no_memory() {
    let mut metadata = json!({
        "name": "a.b-c", "namespace": "ns", "uid": "u", "resourceVersion": "7", "generation": 2,
        "creationTimestamp": "2020-02-29T01:02:03Z",
        "labels": { "example.com/a": "A_b" }, "annotations": { "example.com/a": "anything" },
        "finalizers": ["example.com/f"],
        "ownerReferences": [{ "apiVersion": "v1", "kind": "Pod", "name": "p", "uid": "v" }],
        "managedFields": [{ "manager": "m", "operation": "Update", "fieldsType": "FieldsV1", "fieldsV1": { "f:a": {} } }],
    });
    let used = allocation_counter::measure(|| {
        assert_eq!(reference::coerce(&mut metadata, false), Ok(()));
        assert!(reference::created(&metadata, true).is_empty());
        assert!(reference::updated(&metadata, &metadata).is_empty());
    });
    assert_eq!(used.count_total, 0);
}
