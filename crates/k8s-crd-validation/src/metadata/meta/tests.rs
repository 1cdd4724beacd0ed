use serde_json::{Value, json};

use super::{
    NameValidation, Scope, coerce, coerce_stored, is_coerced, prepare_update, validate_object_meta,
    validate_object_meta_update,
};
use crate::schema::unknown::unknown_fields::UnknownFields;
use k8s_cel::KubeVersion;
use union_runtime::Violation;
use union_runtime::path::Path;

fn messages(violations: &[Violation]) -> Vec<String> {
    violations.iter().map(ToString::to_string).collect()
}

fn create_errors(metadata: &Value) -> Vec<String> {
    let mut errors = Vec::new();
    let path = Path::ROOT.field("metadata");
    validate_object_meta(
        Some(metadata),
        NameValidation::Subdomain,
        Scope::Cluster,
        KubeVersion::LATEST,
        &path,
        &mut errors,
    );
    messages(&errors)
}

fn update_errors(new: &Value, old: &Value) -> Vec<String> {
    let mut errors = Vec::new();
    validate_object_meta_update(
        Some(new),
        Some(old),
        KubeVersion::LATEST,
        &Path::ROOT.field("metadata"),
        &mut errors,
    );
    messages(&errors)
}

fn coerced(mut metadata: Value) -> Result<Value, String> {
    let original = metadata.clone();
    coerce(&mut metadata, &Path::ROOT, &mut UnknownFields::off())?;
    // `is_coerced` is true exactly for metadata that `coerce` does not change.
    assert!(is_coerced(&metadata));
    assert_eq!(is_coerced(&original), original == metadata);
    Ok(metadata)
}

#[test]
fn fields_of_a_wrong_type_make_a_bad_request() {
    for (metadata, error) in [
        (
            json!(5),
            "json: cannot unmarshal number into Go value of type v1.ObjectMeta",
        ),
        (
            json!({"name": 5}),
            "json: cannot unmarshal number into Go struct field ObjectMeta.name of type string",
        ),
        (
            json!({"ownerReferences": [{"uid": 5}]}),
            "json: cannot unmarshal number into Go struct field OwnerReference.ownerReferences.uid of type types.UID",
        ),
        (
            json!({"annotations": {"a": []}, "creationTimestamp": "x"}),
            r#"parsing time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006""#,
        ),
    ] {
        assert_eq!(coerced(metadata), Err(error.to_owned()));
    }
}

#[test]
fn unknown_and_empty_fields_are_removed() {
    let metadata = json!({
        "name": "a", "namespace": "", "labels": {}, "annotations": {"a": null}, "unknown": 1, "uid": null,
        "generation": 2.0, "deletionGracePeriodSeconds": 0, "creationTimestamp": "2020-02-29T1:30:00.5+02:00",
        "ownerReferences": [null], "managedFields": [{"time": null, "x": 1}],
    });
    let expected = json!({
        "name": "a", "annotations": {"a": ""}, "generation": 2, "deletionGracePeriodSeconds": 0,
        "creationTimestamp": "2020-02-28T23:30:00Z",
        "ownerReferences": [{"apiVersion": "", "kind": "", "name": "", "uid": ""}], "managedFields": [{}],
    });
    assert_eq!(coerced(metadata), Ok(expected));
    let mut stored = json!({"name": 5, "labels": {"a": 1}, "uid": "u"});
    coerce_stored(&mut stored);
    assert_eq!(stored, json!({"uid": "u"}));
}

/// A server encodes a request again before it decodes the metadata, and prints `1.0` as `1`.
#[test]
fn floats_without_a_fraction_become_integers() {
    let in_objects = |value: f64| (0..100).fold(json!(value), |inner, _| json!({"f:a": inner}));
    let in_lists = |value: f64| (0..100).fold(json!(value), |inner, _| json!([inner]));
    let deep_integer = |value: &Value| {
        let mut value = value;
        while let Some(inner) = value.get("f:a").or_else(|| value.get(0)) {
            value = inner;
        }
        value.as_i64()
    };
    let decoded_fields = |fields: Value| {
        let metadata = json!({"managedFields": [{"fieldsV1": fields}]});
        coerced(metadata).map(|mut metadata| metadata["managedFields"][0]["fieldsV1"].take())
    };
    for (fields, expected) in [
        (
            json!({"f:a": 1.0, "f:b": [2.0, {"f:c": 3.0}], "f:d": 1.5}),
            json!({"f:a": 1, "f:b": [2, {"f:c": 3}], "f:d": 1.5}),
        ),
        (json!({"f:a": [1.5, 2]}), json!({"f:a": [1.5, 2]})),
        (json!({"f:a": [1.5, 2.0]}), json!({"f:a": [1.5, 2]})),
        (json!({"f:a": {"f:b": 2.0}}), json!({"f:a": {"f:b": 2}})),
    ] {
        assert_eq!(decoded_fields(fields), Ok(expected));
    }
    for fields in [in_objects(7.0), in_lists(7.0)] {
        let decoded = decoded_fields(fields).unwrap_or_default();
        assert_eq!(deep_integer(&decoded), Some(7));
    }
    for fields in [in_objects(7.5), in_lists(7.5)] {
        assert_eq!(decoded_fields(fields.clone()), Ok(fields));
    }
}

#[test]
fn times_are_encoded_in_utc() {
    for (time, expected) in [
        ("2020-02-29T01:30:00Z", "2020-02-29T01:30:00Z"),
        ("2020-02-29T01:30:00+02:00", "2020-02-28T23:30:00Z"),
        ("2020-02-29T01:30:00.5Z", "2020-02-29T01:30:00Z"),
    ] {
        let expected = json!({"managedFields": [{"time": expected}]});
        let metadata = json!({"managedFields": [{"time": time}]});
        assert_eq!(coerced(metadata), Ok(expected), "{time}");
    }
    // The zero time is encoded as null, and is removed when the null is decoded.
    for time in ["0001-01-01T00:00:00Z", "0001-01-01T02:00:00+02:00"] {
        let mut metadata = json!({"managedFields": [{"time": time}]});
        for expected in [json!({"time": null}), json!({})] {
            let decoded = coerce(&mut metadata, &Path::ROOT, &mut UnknownFields::off());
            assert_eq!(decoded, Ok(()));
            assert_eq!(metadata["managedFields"][0], expected, "{time}");
        }
    }
}

#[test]
fn long_parts_of_metadata_are_errors() {
    let annotations = |first: usize, second: usize| {
        let (first, second) = ("x".repeat(first), "x".repeat(second));
        json!({"name": "a", "annotations": {"a".repeat(60): first, "b".repeat(60): second}})
    };
    let managed_fields = |field: &str, length: usize| {
        let mut entry = json!({"manager": "m", "operation": "Update", "fieldsType": "FieldsV1"});
        entry[field] = json!("m".repeat(length));
        json!({"name": "a", "managedFields": [entry]})
    };
    for (metadata, error) in [
        (annotations(131_000, 131_024), None),
        (
            annotations(131_000, 131_025),
            Some("metadata.annotations: Too long: may not be more than 262144 bytes"),
        ),
        (managed_fields("manager", 128), None),
        (
            managed_fields("manager", 129),
            Some("metadata.managedFields[0].manager: Too long: may not be more than 128 bytes"),
        ),
        (managed_fields("subresource", 256), None),
        (
            managed_fields("subresource", 257),
            Some("metadata.managedFields[0].subresource: Too long: may not be more than 256 bytes"),
        ),
    ] {
        assert_eq!(create_errors(&metadata), Vec::from_iter(error));
    }
}

#[test]
fn names_are_subdomains_on_create() {
    assert_eq!(create_errors(&json!({"name": "a.b-c"})), [""; 0]);
    assert_eq!(create_errors(&json!({"generateName": "a.b-"})), [""; 0]);
    assert_eq!(
        create_errors(&json!({})),
        ["metadata.name: Required value: name or generateName is required"]
    );
    assert!(
        create_errors(&json!({"name": "A"}))[0]
            .starts_with(r#"metadata.name: Invalid value: "A": a lowercase RFC 1123 subdomain"#)
    );
    for (prefix, error_count) in [
        ("a-", 0),
        ("a.-", 0),
        ("a.b--", 0),
        ("A-", 0),
        ("ab-c-", 0),
        ("-a-", 1),
        ("-", 1),
        ("a_", 1),
        ("a_b-", 1),
        ("a.b_", 1),
        ("a.b.", 1),
    ] {
        assert_eq!(
            create_errors(&json!({"generateName": prefix})).len(),
            error_count,
            "{prefix}"
        );
    }
    assert_eq!(
        create_errors(&json!({"name": "a", "namespace": "b"})),
        ["metadata.namespace: Forbidden: not allowed on this type"]
    );
}

#[test]
fn immutable_fields_may_not_change() {
    let old = json!({"name": "a", "uid": "u", "resourceVersion": "1", "generation": 2, "deletionTimestamp": "2020-01-01T00:00:00Z"});
    assert_eq!(update_errors(&old, &old), [""; 0]);
    assert_eq!(
        update_errors(&json!({"name": "b", "finalizers": ["y/x", "y/w"]}), &old),
        [
            r#"metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"y/w", "y/x"}"#,
            r#"metadata.resourceVersion: Invalid value: "": must be specified for an update"#,
            "metadata.generation: Invalid value: 0: must not be decremented",
            r#"metadata.name: Invalid value: "b": field is immutable"#,
            r#"metadata.uid: Invalid value: "": field is immutable"#,
            "metadata.deletionTimestamp: Invalid value: null: field is immutable",
        ]
    );
    let mut new = json!({"name": "a", "resourceVersion": "1"});
    prepare_update(&mut new, Some(&old), true);
    assert_eq!(update_errors(&new, &old), [""; 0]);
    assert_eq!(new["generation"], 3);
}

#[test]
fn at_most_one_owner_is_a_controller() {
    let owner = |name: &str| json!({"apiVersion": "v1", "kind": "Pod", "name": name, "uid": "<u>", "controller": true});
    let metadata = json!({"name": "a", "ownerReferences": [owner("x"), owner("y")]});
    assert_eq!(
        create_errors(&metadata),
        [
            r#"metadata.ownerReferences: Invalid value: [{"apiVersion":"v1","kind":"Pod","name":"x","uid":"\u003cu\u003e","controller":true},{"apiVersion":"v1","kind":"Pod","name":"y","uid":"\u003cu\u003e","controller":true}]: Only one reference can have Controller set to true. Found "true" in references for Pod/x and Pod/y"#
        ]
    );
}
