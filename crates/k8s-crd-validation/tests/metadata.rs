//! Tests of metadata: random values cause no panic, and valid metadata allocates nothing.

use k8s_crd_validation::metadata::{self, Scope};
use k8s_crd_validation::{ServerSettings, StructuralSchema};
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
    fn decoded_metadata_decodes_again_without_changes(any_value in any_json(), other_value in any_json()) {
        for is_stored in [true, false] {
            let mut metadata = any_value.clone();
            let is_decoded = if is_stored {
                metadata::decode_stored(&mut metadata);
                true
            } else {
                metadata::decode(&mut metadata).is_ok()
            };
            if is_decoded && metadata.is_object() {
                let mut decoded_again = metadata.clone();
                prop_assert_eq!(metadata::decode(&mut decoded_again), Ok(()));
                prop_assert_eq!(&decoded_again, &metadata);
            }
        }
        // The validation causes no panic for metadata that was not decoded.
        let _ = metadata::validate(&any_value, Scope::Namespaced);
        let _ = metadata::validate_update(&any_value, &other_value);
        let schema = json!({
            "type": "object", "x-kubernetes-preserve-unknown-fields": true, "x-kubernetes-embedded-resource": true,
            "properties": { "finalizers": {
                "type": "object", "x-kubernetes-preserve-unknown-fields": true, "x-kubernetes-embedded-resource": true,
            } },
        });
        let schema = StructuralSchema::compile(&schema).expect("the schema is valid");
        let _ = schema.create(&mut any_value.clone(), &ServerSettings::default());
    }
}

#[test]
fn an_update_is_compared_with_the_stored_metadata() {
    let metadata = |uid: &str| json!({"name": "a", "uid": uid, "resourceVersion": "7"});
    let errors = |new: &str, old: &str| {
        let report = metadata::validate_update(&metadata(new), &metadata(old));
        let errors = report.errors().iter().map(ToString::to_string);
        errors.collect::<Vec<_>>()
    };
    assert_eq!(errors("u", "u"), [""; 0]);
    assert_eq!(
        errors("v", "u"),
        [r#"metadata.uid: Invalid value: "v": field is immutable"#]
    );
}

#[test]
fn valid_metadata_allocates_nothing() {
    let mut metadata = json!({
        "name": "a.b-c", "namespace": "ns", "uid": "u", "resourceVersion": "7", "generation": 2,
        "creationTimestamp": "2020-02-29T01:02:03Z",
        "labels": { "example.com/a": "A_b" }, "annotations": { "example.com/a": "anything" },
        "finalizers": ["example.com/f"],
        "ownerReferences": [{ "apiVersion": "v1", "kind": "Pod", "name": "p", "uid": "v" }],
        "managedFields": [{ "manager": "m", "operation": "Update", "fieldsType": "FieldsV1", "fieldsV1": { "f:a": {} } }],
    });
    let allocations = allocation_counter::measure(|| {
        assert_eq!(metadata::decode(&mut metadata), Ok(()));
        assert!(metadata::validate(&metadata, Scope::Namespaced).is_accepted());
        assert!(metadata::validate_update(&metadata, &metadata).is_accepted());
    });
    assert_eq!(allocations.count_total, 0);
}

/// The sizes of all keys and values together are limited to 256 KiB.
#[test]
fn the_size_of_annotations_has_keys_and_values() {
    const MAX_SIZE: usize = 256 << 10;
    for (lengths, is_accepted) in [
        (&[("a", MAX_SIZE - 1)][..], true),
        (&[("a", MAX_SIZE)], false),
        (&[("aa", MAX_SIZE - 2)], true),
        (&[("aa", MAX_SIZE - 1)], false),
        (&[("a", MAX_SIZE / 2), ("b", MAX_SIZE / 2 - 2)], true),
        (&[("a", MAX_SIZE / 2), ("b", MAX_SIZE / 2 - 1)], false),
    ] {
        let annotations = lengths.iter().map(|(key, length)| {
            let value: Value = "x".repeat(*length).into();
            ((*key).to_owned(), value)
        });
        let annotations: Value = annotations.collect();
        let mut metadata = json!({"name": "n", "resourceVersion": "1", "annotations": annotations});
        assert_eq!(metadata::decode(&mut metadata), Ok(()));
        let created = metadata::validate(&metadata, Scope::Cluster);
        assert_eq!(created.is_accepted(), is_accepted, "{lengths:?}");
        let updated = metadata::validate_update(&metadata, &metadata);
        assert_eq!(updated.is_accepted(), is_accepted, "{lengths:?}");
    }
}

#[test]
fn empty_and_unknown_fields_are_removed() {
    let mut metadata = json!({"name": "a", "labels": {}, "uid": "", "zzz": 1});
    assert_eq!(metadata::decode(&mut metadata), Ok(()));
    assert_eq!(metadata, json!({"name": "a"}));
    let report = metadata::decode(&mut json!({"name": 1})).unwrap_err();
    assert_eq!(report.errors().len(), 1);
    assert_eq!(report.errors()[0].path().as_str(), "metadata");
}

#[test]
fn names_in_metadata_have_a_syntax() {
    for (field, value, is_accepted) in [
        ("labels", json!({"a-b": "c"}), true),
        ("labels", json!({"-a": "c"}), false),
        ("labels", json!({"a-": "c"}), false),
        ("labels", json!({"a b": "c"}), false),
        ("labels", json!({"a": "-c"}), false),
        ("labels", json!({"a": "c d"}), false),
        ("namespace", json!("a-b"), true),
        ("namespace", json!("a.b"), false),
        ("namespace", json!("-a"), false),
    ] {
        let mut metadata = json!({"name": "n", "namespace": "n"});
        metadata[field] = value;
        let report = metadata::validate(&metadata, Scope::Namespaced);
        assert_eq!(report.is_accepted(), is_accepted, "{metadata}: {report}");
    }
}
