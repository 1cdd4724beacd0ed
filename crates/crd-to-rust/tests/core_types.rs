//! Tests of schemas that are recognized as types of Kubernetes by their fields.

use crd_to_rust::{Settings, generate};
use serde_json::{Map, Value, json};

use crate::{crd_with_properties, field_type, field_type_with};

/// Returns the schema of an object with these string fields, of which some are required.
fn string_object(names: &[&str], required: &[&str]) -> Value {
    let properties = names
        .iter()
        .map(|name| ((*name).to_owned(), json!({"type": "string"})));
    json!({"type": "object", "required": required, "properties": properties.collect::<Map<_, _>>()})
}

fn array_of(items: &Value) -> Value {
    json!({"type": "array", "items": items})
}

#[test]
fn an_object_with_an_additional_or_missing_field_is_not_recognized() {
    let mut names = vec![
        "apiVersion",
        "fieldPath",
        "kind",
        "name",
        "namespace",
        "resourceVersion",
        "uid",
    ];
    let reference = field_type(&string_object(&names, &[]));
    assert_eq!(
        reference,
        "Option<::k8s_openapi::api::core::v1::ObjectReference>"
    );
    names.push("more");
    assert_eq!(field_type(&string_object(&names, &[])), "Option<ShopX>");
    assert_eq!(
        field_type(&string_object(&names[..6], &[])),
        "Option<ShopX>"
    );
}

#[test]
fn local_object_references_are_recognized_by_their_description() {
    let type_with_description = |description: &str| {
        field_type(
            &json!({"type": "object", "required": ["name"], "properties": {
                "name": {"type": "string", "description": description},
            }}),
        )
    };
    assert!(type_with_description("Name of the referent.").ends_with("::LocalObjectReference>"));
    assert_eq!(type_with_description("A name."), "Option<ShopX>");
    // `LocalObjectReference` would serialize a name that the object does not have.
    let type_without_required_name = field_type(&json!({"type": "object", "properties": {
        "name": {"type": "string", "description": "Name of the referent."},
    }}));
    assert_eq!(type_without_required_name, "Option<ShopX>");
}

/// Returns the schema of a `TopologySpreadConstraint` with fields that later versions added.
fn topology_spread_schema(added_fields: &[&str]) -> Value {
    let string = json!({"type": "string"});
    let integer = json!({"type": "integer", "format": "int32"});
    let mut requirement = string_object(&["key", "operator"], &["key", "operator"]);
    requirement["properties"]["values"] = array_of(&string);
    let selector = json!({"type": "object", "properties": {
        "matchExpressions": array_of(&requirement),
        "matchLabels": {"type": "object", "additionalProperties": string},
    }});
    let mut schema = json!({
        "type": "object", "required": ["maxSkew", "topologyKey", "whenUnsatisfiable"],
        "properties": {"labelSelector": selector, "maxSkew": integer, "topologyKey": string, "whenUnsatisfiable": string},
    });
    for name in added_fields {
        let property = match *name {
            "minDomains" => integer.clone(),
            "matchLabelKeys" => array_of(&string),
            _ => string.clone(),
        };
        schema["properties"][name] = property;
    }
    schema
}

#[test]
fn schemas_of_older_kubernetes_versions_are_recognized() {
    let recognized_type = "Option<::k8s_openapi::api::core::v1::TopologySpreadConstraint>";
    let fields_of_1_25 = ["matchLabelKeys", "nodeAffinityPolicy", "nodeTaintsPolicy"];
    assert_eq!(field_type(&topology_spread_schema(&[])), recognized_type);
    assert_eq!(
        field_type(&topology_spread_schema(&["minDomains"])),
        recognized_type
    );
    assert_eq!(
        field_type(&topology_spread_schema(&[
            "minDomains",
            fields_of_1_25[0],
            fields_of_1_25[1],
            fields_of_1_25[2]
        ])),
        recognized_type
    );
    // No version of Kubernetes had only these fields.
    assert_eq!(
        field_type(&topology_spread_schema(&fields_of_1_25)),
        "Option<ShopX>"
    );
    assert_eq!(
        field_type(&topology_spread_schema(&["minDomains", fields_of_1_25[0]])),
        "Option<ShopX>"
    );
}

/// Returns the schema of a `VolumeMount`. Kubernetes 1.30 and 1.37 added fields to the type.
fn volume_mount_schema(has_field_of_1_37: bool) -> Value {
    let names = [
        "mountPath",
        "mountPropagation",
        "name",
        "subPath",
        "subPathExpr",
        "recursiveReadOnly",
    ];
    let mut schema = string_object(&names, &["mountPath", "name"]);
    schema["properties"]["readOnly"] = json!({"type": "boolean"});
    if has_field_of_1_37 {
        schema["properties"]["bindMountOptions"] = array_of(&json!({"type": "string"}));
    }
    schema
}

#[test]
fn schemas_of_newer_kubernetes_versions_need_a_setting() {
    let recognized_type = "Option<::k8s_openapi::api::core::v1::VolumeMount>";
    let mut settings = Settings::default();
    assert_eq!(
        field_type_with(&volume_mount_schema(false), &settings),
        recognized_type
    );
    assert_eq!(
        field_type_with(&volume_mount_schema(true), &settings),
        "Option<ShopX>"
    );
    for (version, ty) in [("1.36", "Option<ShopX>"), ("1.37", recognized_type)] {
        settings.kubernetes = Some(version.to_owned());
        assert_eq!(
            field_type_with(&volume_mount_schema(false), &settings),
            recognized_type
        );
        assert_eq!(
            field_type_with(&volume_mount_schema(true), &settings),
            ty,
            "{version}"
        );
    }
    for version in ["1.32", "1.38", "1.333", "2.33", "latest", ""] {
        settings.kubernetes = Some(version.to_owned());
        let error = generate(&[crd_with_properties(&json!({}))], &settings).unwrap_err();
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
    let mut schema = volume_mount_schema(false);
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
fn nullable_or_differently_formatted_fields_prevent_recognition() {
    let with_keyword = |keyword: &str, value: Value| {
        let mut schema = volume_mount_schema(false);
        schema[keyword] = value;
        field_type(&schema)
    };
    assert_eq!(
        with_keyword("x-kubernetes-preserve-unknown-fields", true.into()),
        "Option<ShopX>"
    );
    let mut schema = volume_mount_schema(false);
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
fn claim_template_schema(metadata: &Value) -> Value {
    let string = json!({"type": "string"});
    let local_reference = string_object(&["apiGroup", "kind", "name"], &["kind", "name"]);
    let object_reference = string_object(
        &["apiGroup", "kind", "name", "namespace"],
        &["kind", "name"],
    );
    let quantity = json!({"x-kubernetes-int-or-string": true, "anyOf": [{"type": "integer"}, {"type": "string"}]});
    let quantities = json!({"type": "object", "additionalProperties": quantity});
    let mut spec = string_object(
        &[
            "storageClassName",
            "volumeAttributesClassName",
            "volumeMode",
            "volumeName",
        ],
        &[],
    );
    let selector = topology_spread_schema(&[])["properties"]["labelSelector"].take();
    for (name, property) in [
        ("accessModes", array_of(&string)),
        ("dataSource", local_reference),
        ("dataSourceRef", object_reference),
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
    let recognized_type = "Option<::k8s_openapi::api::core::v1::PersistentVolumeClaimTemplate>";
    let empty_metadata = json!({"type": "object"});
    assert_eq!(
        field_type(&claim_template_schema(&empty_metadata)),
        recognized_type
    );
    let labels = json!({"type": "object", "additionalProperties": {"type": "string"}});
    let mut metadata =
        json!({"type": "object", "properties": {"name": {"type": "string"}, "labels": labels}});
    assert_eq!(
        field_type(&claim_template_schema(&metadata)),
        recognized_type
    );
    metadata["properties"]["other"] = json!({"type": "string"});
    assert_eq!(
        field_type(&claim_template_schema(&metadata)),
        "Option<ShopX>"
    );
    let any_metadata = json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true});
    assert_eq!(
        field_type(&claim_template_schema(&any_metadata)),
        "Option<ShopX>"
    );
}
