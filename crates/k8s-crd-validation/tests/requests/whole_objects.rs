//! Tests of messages about whole objects: their generation, and objects of another kind.

use k8s_crd_validation::{ServerSettings, StructuralSchema};
use serde_json::{Value, json};

#[test]
fn the_root_is_printed_with_the_generation_that_a_server_gives_it() {
    for combinator in ["allOf", "anyOf", "oneOf"] {
        let schema = json!({"type": "object", "properties": {"n": {"type": "integer"}}, combinator: [{"enum": [1]}]});
        let schema = StructuralSchema::compile(&schema).unwrap();
        let object = |n: i32| json!({"metadata": {"name": "a", "resourceVersion": "1", "generation": 7}, "n": n});
        let mut new = object(2);
        let outcome = schema.update(&mut new, &object(1), &ServerSettings::default());
        let printed = r#"{"metadata":{"generation":8,"name":"a","resourceVersion":"1"},"n":2}"#;
        let wanted = format!("<nil>: Unsupported value: {printed}: supported values: \"1\"");
        let found = crate::errors(&outcome);
        assert!(found.contains(&wanted), "{combinator}: {found:#?}");
        assert_eq!(new, object(2), "the answer is without it");
    }
}

#[test]
fn metadata_inside_of_an_object_of_another_kind_is_not_read_but_judged() {
    let embedded = json!({
        "type": "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true,
    });
    let schema = json!({"type": "object", "properties": {"template": embedded}});
    let crd = json!({"spec": {"group": "example.com", "names": {"kind": "Job"}, "versions": [
        {"name": "v1", "schema": {"openAPIV3Schema": schema}},
    ]}});
    let schema = StructuralSchema::compiler().crd(&crd, Some("v1")).unwrap();
    let created = |kind: &str, name: Value| {
        let mut object = json!({"apiVersion": "example.com/v1", "kind": kind, "metadata": {"name": "a", "namespace": "b"},
            "template": {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name}}});
        crate::errors(&schema.create(&mut object, &ServerSettings::default()))
    };
    let wrong = "template.metadata: Invalid value: {\"name\":5}: json: cannot unmarshal number into Go struct field \
                 ObjectMeta.name of type string";
    assert_eq!(created("Job", json!(5)), [wrong]);
    let other = "kind: Invalid value: \"Jab\": must be Job";
    assert_eq!(created("Jab", json!(5)), [other, wrong]);
    assert_eq!(created("Jab", json!("ok")), [other]);
}
