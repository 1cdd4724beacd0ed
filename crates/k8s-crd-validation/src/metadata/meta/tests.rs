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
    assert_eq!(create_errors(&json!({"generateName": "-a-"})).len(), 1);
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
