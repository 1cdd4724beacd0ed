//! Tests of messages about whole objects: their generation, and objects of another kind.

use k8s_crd_validation::{ServerSettings, StructuralSchema};
use serde_json::{Value, json};

#[test]
fn a_printed_root_has_the_generation_that_a_server_sets() {
    for combinator in ["allOf", "anyOf", "oneOf"] {
        let schema = json!({"type": "object", "properties": {"n": {"type": "integer"}}, combinator: [{"enum": [1]}]});
        let schema = StructuralSchema::compile(&schema).unwrap();
        let object = |n: i32| json!({"metadata": {"name": "a", "resourceVersion": "1", "generation": 7}, "n": n});
        let mut new = object(2);
        let report = schema.update(&mut new, &object(1), &ServerSettings::default());
        let printed = r#"{"metadata":{"generation":8,"name":"a","resourceVersion":"1"},"n":2}"#;
        let expected = format!("<nil>: Unsupported value: {printed}: supported values: \"1\"");
        let errors = crate::errors(&report);
        assert!(errors.contains(&expected), "{combinator}: {errors:#?}");
        assert_eq!(new, object(2), "the sent generation is restored");
    }
}

#[test]
fn embedded_metadata_is_validated_in_an_object_of_another_kind() {
    let embedded = json!({
        "type": "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true,
    });
    let schema = json!({"type": "object", "properties": {"template": embedded}});
    let crd = json!({"spec": {"group": "example.com", "names": {"kind": "Job"}, "versions": [
        {"name": "v1", "schema": {"openAPIV3Schema": schema}},
    ]}});
    let schema = StructuralSchema::compiler().crd(&crd, Some("v1")).unwrap();
    let create_errors = |kind: &str, name: Value| {
        let mut object = json!({"apiVersion": "example.com/v1", "kind": kind, "metadata": {"name": "a", "namespace": "b"},
            "template": {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name}}});
        crate::errors(&schema.create(&mut object, &ServerSettings::default()))
    };
    let metadata_error = "template.metadata: Invalid value: {\"name\":5}: json: cannot unmarshal number into Go struct field \
                 ObjectMeta.name of type string";
    assert_eq!(create_errors("Job", json!(5)), [metadata_error]);
    let kind_error = "kind: Invalid value: \"Jab\": must be Job";
    assert_eq!(create_errors("Jab", json!(5)), [kind_error, metadata_error]);
    assert_eq!(create_errors("Jab", json!("ok")), [kind_error]);
}
