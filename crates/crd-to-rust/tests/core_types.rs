//! Tests of schemas that are recognized as types of Kubernetes by their fields.

use crd_to_rust::{Settings, generate};
use serde_json::{Map, Value, json};

use crate::{crd, field_type, field_type_with};

/// Returns the schema of an object with string fields, of which some are required.
fn strings(names: &[&str], required: &[&str]) -> Value {
    let properties = names
        .iter()
        .map(|name| ((*name).to_owned(), json!({"type": "string"})));
    json!({"type": "object", "required": required, "properties": properties.collect::<Map<_, _>>()})
}

fn list(items: &Value) -> Value {
    json!({"type": "array", "items": items})
}

#[test]
fn an_additional_field_makes_another_type() {
    let mut names = vec![
        "apiVersion",
        "fieldPath",
        "kind",
        "name",
        "namespace",
        "resourceVersion",
        "uid",
    ];
    let reference = field_type(&strings(&names, &[]));
    assert_eq!(
        reference,
        "Option<::k8s_openapi::api::core::v1::ObjectReference>"
    );
    names.push("more");
    assert_eq!(field_type(&strings(&names, &[])), "Option<ShopX>");
    assert_eq!(field_type(&strings(&names[..6], &[])), "Option<ShopX>");
}

#[test]
fn local_object_references_are_recognized_by_their_description() {
    let named = |description: &str| {
        field_type(
            &json!({"type": "object", "required": ["name"], "properties": {
                "name": {"type": "string", "description": description},
            }}),
        )
    };
    assert!(named("Name of the referent.").ends_with("::LocalObjectReference>"));
    assert_eq!(named("A name."), "Option<ShopX>");
    // `LocalObjectReference` would serialize a name that the object does not have.
    let unnamed = field_type(&json!({"type": "object", "properties": {
        "name": {"type": "string", "description": "Name of the referent."},
    }}));
    assert_eq!(unnamed, "Option<ShopX>");
}

/// Returns the schema of a `TopologySpreadConstraint` of some version of Kubernetes.
fn spread(more: &[&str]) -> Value {
    let string = json!({"type": "string"});
    let integer = json!({"type": "integer", "format": "int32"});
    let requirement = strings(&["key", "operator"], &["key", "operator"]);
    let mut requirement = requirement;
    requirement["properties"]["values"] = list(&string);
    let selector = json!({"type": "object", "properties": {
        "matchExpressions": list(&requirement),
        "matchLabels": {"type": "object", "additionalProperties": string},
    }});
    let mut schema = json!({
        "type": "object", "required": ["maxSkew", "topologyKey", "whenUnsatisfiable"],
        "properties": {"labelSelector": selector, "maxSkew": integer, "topologyKey": string, "whenUnsatisfiable": string},
    });
    for name in more {
        let property = match *name {
            "minDomains" => integer.clone(),
            "matchLabelKeys" => list(&string),
            _ => string.clone(),
        };
        schema["properties"][name] = property;
    }
    schema
}

#[test]
fn schemas_of_older_kubernetes_versions_are_recognized() {
    let known = "Option<::k8s_openapi::api::core::v1::TopologySpreadConstraint>";
    let of_1_25 = ["matchLabelKeys", "nodeAffinityPolicy", "nodeTaintsPolicy"];
    assert_eq!(field_type(&spread(&[])), known);
    assert_eq!(field_type(&spread(&["minDomains"])), known);
    assert_eq!(
        field_type(&spread(&["minDomains", of_1_25[0], of_1_25[1], of_1_25[2]])),
        known
    );
    // No version of Kubernetes had only these fields.
    assert_eq!(field_type(&spread(&of_1_25)), "Option<ShopX>");
    assert_eq!(
        field_type(&spread(&["minDomains", of_1_25[0]])),
        "Option<ShopX>"
    );
}

/// Returns the schema of a `VolumeMount`. Kubernetes 1.30 and 1.37 added fields to the type.
fn mount(is_of_1_37: bool) -> Value {
    let names = [
        "mountPath",
        "mountPropagation",
        "name",
        "subPath",
        "subPathExpr",
        "recursiveReadOnly",
    ];
    let mut schema = strings(&names, &["mountPath", "name"]);
    schema["properties"]["readOnly"] = json!({"type": "boolean"});
    if is_of_1_37 {
        schema["properties"]["bindMountOptions"] = list(&json!({"type": "string"}));
    }
    schema
}

#[test]
fn schemas_of_newer_kubernetes_versions_need_a_setting() {
    let known = "Option<::k8s_openapi::api::core::v1::VolumeMount>";
    let mut settings = Settings::default();
    assert_eq!(field_type_with(&mount(false), &settings), known);
    assert_eq!(field_type_with(&mount(true), &settings), "Option<ShopX>");
    for (version, ty) in [("1.36", "Option<ShopX>"), ("1.37", known)] {
        settings.kubernetes = Some(version.to_owned());
        assert_eq!(field_type_with(&mount(false), &settings), known);
        assert_eq!(field_type_with(&mount(true), &settings), ty, "{version}");
    }
    for version in ["1.32", "1.38", "1.333", "2.33", "latest", ""] {
        settings.kubernetes = Some(version.to_owned());
        let error = generate(&[crd(&json!({}))], &settings).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!(
                "kubernetes: version {version:?} is not supported by k8s-openapi 0.29; use one of 1.33 to 1.37"
            )
        );
    }
}

#[test]
fn fields_that_a_type_always_writes_must_be_required() {
    let mut schema = mount(false);
    schema["required"] = json!(["mountPath"]);
    assert_eq!(field_type(&schema), "Option<ShopX>");
    // The API server sets the field to its default.
    schema["properties"]["name"]["default"] = "".into();
    assert_eq!(
        field_type(&schema),
        "Option<::k8s_openapi::api::core::v1::VolumeMount>"
    );
    schema["properties"]["name"]["default"] = "a".into();
    assert_eq!(field_type(&schema), "Option<ShopX>");
}

#[test]
fn other_keywords_make_another_type() {
    let with_keyword = |keyword: &str, value: Value| {
        let mut schema = mount(false);
        schema[keyword] = value;
        field_type(&schema)
    };
    assert_eq!(
        with_keyword("x-kubernetes-preserve-unknown-fields", true.into()),
        "Option<ShopX>"
    );
    let mut schema = mount(false);
    schema["properties"]["subPath"] = json!({"type": "string", "nullable": true});
    assert_eq!(field_type(&schema), "Option<ShopX>");
    schema["properties"]["subPath"] = json!({"type": "string", "format": "byte"});
    assert_eq!(field_type(&schema), "Option<ShopX>");
    schema["properties"]["subPath"] = json!({"type": "string", "maxLength": 9});
    assert_eq!(
        field_type(&schema),
        "Option<::k8s_openapi::api::core::v1::VolumeMount>"
    );
}

/// Returns the schema of a `PersistentVolumeClaimTemplate` with this schema of its metadata.
fn template(metadata: &Value) -> Value {
    let string = json!({"type": "string"});
    let local = strings(&["apiGroup", "kind", "name"], &["kind", "name"]);
    let other = strings(
        &["apiGroup", "kind", "name", "namespace"],
        &["kind", "name"],
    );
    let quantity = json!({"x-kubernetes-int-or-string": true, "anyOf": [{"type": "integer"}, {"type": "string"}]});
    let quantities = json!({"type": "object", "additionalProperties": quantity});
    let mut spec = strings(
        &[
            "storageClassName",
            "volumeAttributesClassName",
            "volumeMode",
            "volumeName",
        ],
        &[],
    );
    let selector = spread(&[])["properties"]["labelSelector"].take();
    for (name, property) in [
        ("accessModes", list(&string)),
        ("dataSource", local),
        ("dataSourceRef", other),
        (
            "resources",
            json!({"type": "object", "properties": {"limits": quantities, "requests": quantities}}),
        ),
        ("selector", selector),
    ] {
        spec["properties"][name] = property;
    }
    json!({"type": "object", "required": ["spec"], "properties": {"metadata": metadata, "spec": spec}})
}

#[test]
fn metadata_is_object_meta_unless_the_schema_keeps_more_fields() {
    let known = "Option<::k8s_openapi::api::core::v1::PersistentVolumeClaimTemplate>";
    let object = json!({"type": "object"});
    assert_eq!(field_type(&template(&object)), known);
    let labels = json!({"type": "object", "additionalProperties": {"type": "string"}});
    let mut named =
        json!({"type": "object", "properties": {"name": {"type": "string"}, "labels": labels}});
    assert_eq!(field_type(&template(&named)), known);
    named["properties"]["other"] = json!({"type": "string"});
    assert_eq!(field_type(&template(&named)), "Option<ShopX>");
    let any = json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true});
    assert_eq!(field_type(&template(&any)), "Option<ShopX>");
}
