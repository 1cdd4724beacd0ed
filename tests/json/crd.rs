//! Tests of CRDs: their versions, the annotation with the unions, and the errors in both.

use serde_json::{Value, json};
use union_json::{ANNOTATION, OLD_ANNOTATION, SchemaError, SchemaSource, Unions, annotation};
use union_runtime::{Settings, schema_for};

use crate::documents::{crd_of, version, with_annotation, without_extensions};
use crate::models::{BothShapes, Defaulted, OptionalText, Several};
use crate::read::{CHOICE, choice, lines};

const SCHEMA_POINTER: &str = "/spec/versions/0/schema/openAPIV3Schema";
const ANNOTATION_POINTER: &str = "/metadata/annotations/union-runtime.dev~1unions";

/// Returns the schema of a root object whose spec has a union.
fn root_schema() -> Value {
    json!({"type": "object", "properties": {"spec": choice()}})
}

fn crd_with_annotation(schema: &Value, annotation_value: impl Into<Value>) -> Value {
    let mut crd = crd_of(schema);
    crd["metadata"]["annotations"] = json!({"other/annotation": "x"});
    crd["metadata"]["annotations"][ANNOTATION] = annotation_value.into();
    crd
}

/// Returns the error of a CRD, and asserts that its pointer exists in the CRD.
#[track_caller]
fn compile_error(crd: &Value, version: Option<&str>) -> SchemaError {
    let error = Unions::compile(SchemaSource::Crd(crd, version)).expect_err("an error");
    assert!(
        crd.pointer(error.pointer()).is_some(),
        "the pointer of {error} does not exist"
    );
    error
}

#[track_caller]
fn assert_compile_error(crd: &Value, version: Option<&str>, pointer: &str, message: &str) {
    let error = compile_error(crd, version);
    assert_eq!((error.pointer(), error.message()), (pointer, message));
}

fn union_lines(crd: &Value, version: Option<&str>) -> Vec<String> {
    lines(
        &Unions::compile(SchemaSource::Crd(crd, version)).unwrap_or_else(|error| panic!("{error}")),
    )
}

#[test]
fn the_schema_is_the_schema_of_the_named_or_the_stored_version() {
    let mut crd = crd_of(&json!({}));
    crd["spec"]["versions"] = json!([
        {"name": "v1alpha1", "storage": false, "schema": {"openAPIV3Schema": {}}},
        version("v1", &root_schema()),
        {"name": "v2", "storage": false, "schema": {"openAPIV3Schema": {"items": root_schema()}}},
    ]);
    assert_eq!(union_lines(&crd, None), [CHOICE]);
    assert_eq!(union_lines(&crd, Some("v1")), [CHOICE]);
    assert_eq!(union_lines(&crd, Some("v1alpha1")), [""; 0]);
    assert_eq!(union_lines(&crd, Some("v2")), [CHOICE]);
    // A single version is the stored version.
    crd["spec"]["versions"] = json!([{"name": "v1", "schema": {"openAPIV3Schema": root_schema()}}]);
    assert_eq!(union_lines(&crd, None), [CHOICE]);
}

#[test]
fn a_missing_version_is_an_error_that_lists_the_versions() {
    let mut crd = crd_of(&root_schema());
    assert_compile_error(
        &crd,
        Some("v2"),
        "/spec/versions",
        "unknown version \"v2\"; use one of: \"v1\"",
    );
    crd["spec"]["versions"] = json!([{"name": "v1"}, {"name": "v2"}, 5]);
    assert_compile_error(
        &crd,
        None,
        "/spec/versions",
        "the CRD has no storage version; name one of: \"v1\", \"v2\"",
    );
    assert_compile_error(
        &crd,
        Some("v2"),
        "/spec/versions/1",
        "version \"v2\" has no `schema.openAPIV3Schema`, which apiextensions.k8s.io/v1 requires",
    );
    crd["spec"]["versions"][1]["schema"] = json!({});
    assert_eq!(
        compile_error(&crd, Some("v2")).pointer(),
        "/spec/versions/1/schema"
    );
    for (crd, pointer) in [
        (json!(5), ""),
        (json!({}), ""),
        (json!({"spec": {}}), "/spec"),
        (json!({"spec": {"versions": []}}), "/spec/versions"),
        (json!({"spec": {"versions": {"v1": {}}}}), "/spec/versions"),
    ] {
        assert_compile_error(
            &crd,
            None,
            pointer,
            "`spec.versions` is missing or empty; expected a CustomResourceDefinition of apiextensions.k8s.io/v1",
        );
    }
}

#[test]
fn schema_errors_have_the_path_in_the_crd() {
    let mut schema = root_schema();
    schema["properties"]["spec"]["properties"]["type"]["enum"] = json!(["A"]);
    let pointer = format!("{SCHEMA_POINTER}/properties/spec/properties/type");
    assert_eq!(compile_error(&crd_of(&schema), None).pointer(), pointer);
    let schema = json!({"$ref": "#/$defs/A", "$defs": {"A": {"properties": {"a": 5}}}});
    assert_eq!(
        compile_error(&crd_of(&schema), None).pointer(),
        format!("{SCHEMA_POINTER}/$defs/A/properties/a")
    );
}

#[test]
fn the_annotation_contains_all_unions_of_all_versions() {
    let several_unions = schema_for::<Several>().to_value();
    let string_discriminator = schema_for::<OptionalText>().to_value();
    let both_shapes = schema_for::<BothShapes>().to_value();
    let defaulted = schema_for::<Defaulted>().to_value();
    let nested = json!({"properties": {
        "a/b~c": {"items": several_unions},
        "maps": {"additionalProperties": {"items": {"allOf": [{}, both_shapes]}}},
        "perhaps": {"anyOf": [defaulted, {"enum": [null]}], "nullable": true},
        "one": {"oneOf": [choice()]},
    }});
    let mut crd = crd_of(&nested);
    crd["spec"]["versions"] = json!([
        version("v1", &nested),
        {"name": "v2", "schema": {"openAPIV3Schema": string_discriminator}},
        {"name": "v3", "schema": {"openAPIV3Schema": {"type": "object"}}},
    ]);
    let annotated_crd = with_annotation(&crd, &without_extensions(&crd));
    assert!(
        !annotated_crd["spec"]
            .to_string()
            .contains("x-kubernetes-unions")
    );
    for version in ["v1", "v2", "v3"] {
        assert_eq!(
            union_lines(&annotated_crd, Some(version)),
            union_lines(&crd, Some(version)),
            "{version}"
        );
    }
    assert_eq!(union_lines(&annotated_crd, None).len(), 6);
    // A CRD with all extensions may keep the annotation.
    assert_eq!(
        union_lines(&with_annotation(&crd, &crd), None),
        union_lines(&crd, None)
    );
    let annotation_value = annotation(&crd).expect("the CRD has unions");
    let annotation_object: Value = serde_json::from_str(&annotation_value).expect("valid JSON");
    let versions: Vec<&String> = annotation_object
        .as_object()
        .expect("an object")
        .keys()
        .collect();
    assert_eq!(
        versions,
        ["v1", "v2"],
        "the annotation omits a version without unions"
    );
}

#[test]
fn without_unions_there_is_no_annotation() {
    for crd in [
        crd_of(&json!({"type": "object"})),
        json!({}),
        json!(5),
        json!({"spec": {"versions": {}}}),
        json!({"spec": {"versions": [{}, 5, {"name": "v1"}, {"schema": {"openAPIV3Schema": root_schema()}}]}}),
    ] {
        assert_eq!(annotation(&crd), None, "{crd}");
    }
}

#[test]
fn an_object_is_validated_by_the_unions_of_the_annotation() {
    let crd_with_extensions = crd_of(&root_schema());
    let crd = with_annotation(
        &crd_with_extensions,
        &without_extensions(&crd_with_extensions),
    );
    let unions =
        Unions::compile(SchemaSource::Crd(&crd, None)).expect("a well-formed schema or document");
    let old = json!({"kind": "Test", "spec": {"type": "A", "a": 1}});
    let mut new = json!({"kind": "Test", "spec": {"type": "B", "a": 1}});
    let report = unions.admit(&mut new, Some(&old), &Settings::default());
    assert!(report.is_accepted(), "the object is valid");
    assert_eq!(report.changes().to_string(), "spec.a: cleared");
}

#[test]
fn an_invalid_annotation_is_rejected() {
    let rows = [
        (json!(5), "the annotation must be a string that contains JSON".to_owned()),
        (json!({"v1": {}}), "the annotation must be a string that contains JSON".to_owned()),
        (
            json!("v1"),
            "invalid JSON: expected value at line 1 column 1; expected {\"v1\": {\"/properties/spec\": ...}}".to_owned(),
        ),
        (
            json!("[]"),
            "expected an object that maps versions to JSON pointers to extensions".to_owned(),
        ),
        (
            json!("{\"v1\": []}"),
            "version \"v1\" must be an object that maps JSON pointers to extensions".to_owned(),
        ),
    ];
    for (annotation_value, message) in rows {
        assert_compile_error(
            &crd_with_annotation(&root_schema(), annotation_value),
            None,
            ANNOTATION_POINTER,
            &message,
        );
    }
    let deep_list = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let error = compile_error(&crd_with_annotation(&root_schema(), deep_list), None);
    assert!(
        error
            .message()
            .starts_with("invalid JSON: recursion limit exceeded"),
        "{error}"
    );
}

#[test]
fn an_annotation_with_unknown_pointers_is_rejected() {
    let schema = without_extensions(&root_schema());
    for pointer in [
        "/properties/status",
        "/properties",
        "/properties/spec/properties/type/enum",
        "/properties/spec/type",
        "properties/spec",
        "#/properties/status",
    ] {
        let annotation_value = json!({"v1": {pointer: []}}).to_string();
        assert_compile_error(
            &crd_with_annotation(&schema, annotation_value),
            None,
            ANNOTATION_POINTER,
            &format!(
                "the annotation has unions for {pointer:?}, which is not a path through the schema; use a JSON pointer of `properties`, `items` and `additionalProperties`, such as \"/properties/spec/properties/strategy\""
            ),
        );
    }
    // Entries for other versions are not read.
    let annotation_value = json!({"v2": {"/nowhere": 5}}).to_string();
    assert_eq!(
        union_lines(&crd_with_annotation(&schema, annotation_value), None),
        [""; 0]
    );
}

#[test]
fn an_annotation_that_contradicts_the_schema_is_rejected() {
    let other_extension = json!({"fieldMembers": {"A": null, "B": null}});
    let annotation_value =
        json!({"v1": {"/properties/spec/properties/type": other_extension}}).to_string();
    assert_compile_error(
        &crd_with_annotation(&root_schema(), annotation_value),
        None,
        &format!("{SCHEMA_POINTER}/properties/spec/properties/type"),
        "`x-kubernetes-unions` and annotation \"union-runtime.dev/unions\" contradict each other here; remove one of them",
    );
}

#[test]
fn extension_errors_in_the_annotation_have_their_pointer() {
    let schema = without_extensions(&root_schema());
    let rows = [
        (
            "/properties/spec",
            json!([{"fields-to-discriminateBy": {"a": "A"}}, 5]),
            "/properties/spec",
            "union 1: a union must be an object with `fields-to-discriminateBy`, not 5 \
             (in annotation \"union-runtime.dev/unions\")",
        ),
        (
            "/properties/spec/properties/type",
            json!({"fieldMembers": {"A": {"name": "a"}}}),
            "/properties/spec/properties/type",
            "`fieldMembers` has no entry for \"B\" of `enum`; add it, with null if the value has no field (in annotation \"union-runtime.dev/unions\")",
        ),
        (
            "/properties/spec",
            json!("a"),
            "/properties/spec",
            "`x-kubernetes-unions` is \"a\"; expected an object with `fieldMembers` on a discriminator's property, or a list of unions on an object (in annotation \"union-runtime.dev/unions\")",
        ),
        (
            "",
            json!({"fieldMembers": {"A": null}}),
            "",
            "`x-kubernetes-unions` with `fieldMembers` must be on the property of the discriminator; move it there (in annotation \"union-runtime.dev/unions\")",
        ),
    ];
    for (pointer, extension, expected_pointer, message) in rows {
        let annotation_value = json!({"v1": {pointer: extension}}).to_string();
        assert_compile_error(
            &crd_with_annotation(&schema, annotation_value),
            None,
            &format!("{SCHEMA_POINTER}{expected_pointer}"),
            message,
        );
    }
}

#[test]
fn the_old_key_of_the_annotation_is_still_read() {
    let schema = without_extensions(&root_schema());
    let unions = annotation(&crd_of(&root_schema())).unwrap();
    let with_new_key = crd_with_annotation(&schema, unions.as_str());
    let mut with_old_key = crd_with_annotation(&schema, Value::Null);
    with_old_key["metadata"]["annotations"] = json!({OLD_ANNOTATION: unions});
    assert_ne!(union_lines(&with_new_key, None), [""; 0]);
    assert_eq!(
        union_lines(&with_old_key, None),
        union_lines(&with_new_key, None)
    );

    // If both keys are present, their values must be equal.
    let mut with_both_keys = with_new_key.clone();
    with_both_keys["metadata"]["annotations"][OLD_ANNOTATION] = unions.into();
    assert_eq!(
        union_lines(&with_both_keys, None),
        union_lines(&with_new_key, None)
    );
    with_both_keys["metadata"]["annotations"][OLD_ANNOTATION] = "{}".into();
    assert_compile_error(
        &with_both_keys,
        None,
        ANNOTATION_POINTER,
        "annotation \"union-runtime/unions\" contradicts \"union-runtime.dev/unions\"; remove the former, which is the old name",
    );

    // Errors name the key that is present.
    with_old_key["metadata"]["annotations"][OLD_ANNOTATION] = "[]".into();
    assert_compile_error(
        &with_old_key,
        None,
        "/metadata/annotations/union-runtime~1unions",
        "expected an object that maps versions to JSON pointers to extensions",
    );
    let invalid_annotation = json!({"v1": {"/properties/spec": "a"}}).to_string();
    with_old_key["metadata"]["annotations"][OLD_ANNOTATION] = invalid_annotation.into();
    assert_compile_error(
        &with_old_key,
        None,
        &format!("{SCHEMA_POINTER}/properties/spec"),
        "`x-kubernetes-unions` is \"a\"; expected an object with `fieldMembers` on a discriminator's property, or a list of unions on an object (in annotation \"union-runtime/unions\")",
    );
}
