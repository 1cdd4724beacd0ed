//! Objects that are types of Kubernetes by their shape.

use crd_to_rust::{Settings, generate};
use serde_json::{Map, Value, json};

use crate::{crd, field, field_with};

/// An object with fields of texts, of which some are required.
fn texts(names: &[&str], required: &[&str]) -> Value {
    let properties = names
        .iter()
        .map(|name| ((*name).to_owned(), json!({"type": "string"})));
    json!({"type": "object", "required": required, "properties": properties.collect::<Map<_, _>>()})
}

fn list(items: &Value) -> Value {
    json!({"type": "array", "items": items})
}

#[test]
fn one_field_more_is_another_type() {
    let mut names = vec![
        "apiVersion",
        "fieldPath",
        "kind",
        "name",
        "namespace",
        "resourceVersion",
        "uid",
    ];
    let reference = field(&texts(&names, &[]));
    assert_eq!(
        reference,
        "Option<::k8s_openapi::api::core::v1::ObjectReference>"
    );
    names.push("more");
    assert_eq!(field(&texts(&names, &[])), "Option<ShopX>");
    assert_eq!(field(&texts(&names[..6], &[])), "Option<ShopX>");
}

#[test]
fn what_many_objects_look_like_is_known_by_words() {
    let named = |description: &str| {
        field(
            &json!({"type": "object", "required": ["name"], "properties": {
                "name": {"type": "string", "description": description},
            }}),
        )
    };
    assert!(named("Name of the referent.").ends_with("::LocalObjectReference>"));
    assert_eq!(named("A name."), "Option<ShopX>");
    // The type would write a name that was not there.
    let unnamed = field(&json!({"type": "object", "properties": {
        "name": {"type": "string", "description": "Name of the referent."},
    }}));
    assert_eq!(unnamed, "Option<ShopX>");
}

/// A constraint on how pods are spread, as a version of Kubernetes had it.
fn spread(more: &[&str]) -> Value {
    let text = json!({"type": "string"});
    let integer = json!({"type": "integer", "format": "int32"});
    let requirement = texts(&["key", "operator"], &["key", "operator"]);
    let mut requirement = requirement;
    requirement["properties"]["values"] = list(&text);
    let selector = json!({"type": "object", "properties": {
        "matchExpressions": list(&requirement),
        "matchLabels": {"type": "object", "additionalProperties": text},
    }});
    let mut schema = json!({
        "type": "object", "required": ["maxSkew", "topologyKey", "whenUnsatisfiable"],
        "properties": {"labelSelector": selector, "maxSkew": integer, "topologyKey": text, "whenUnsatisfiable": text},
    });
    for name in more {
        let of = match *name {
            "minDomains" => integer.clone(),
            "matchLabelKeys" => list(&text),
            _ => text.clone(),
        };
        schema["properties"][name] = of;
    }
    schema
}

#[test]
fn older_versions_of_a_type_are_that_type() {
    let known = "Option<::k8s_openapi::api::core::v1::TopologySpreadConstraint>";
    let of_1_25 = ["matchLabelKeys", "nodeAffinityPolicy", "nodeTaintsPolicy"];
    assert_eq!(field(&spread(&[])), known);
    assert_eq!(field(&spread(&["minDomains"])), known);
    assert_eq!(
        field(&spread(&["minDomains", of_1_25[0], of_1_25[1], of_1_25[2]])),
        known
    );
    // No version had these alone.
    assert_eq!(field(&spread(&of_1_25)), "Option<ShopX>");
    assert_eq!(field(&spread(&["minDomains", of_1_25[0]])), "Option<ShopX>");
}

/// A mount of a volume, which 1.30 and 1.37 added to.
fn mount(of_1_37: bool) -> Value {
    let names = [
        "mountPath",
        "mountPropagation",
        "name",
        "subPath",
        "subPathExpr",
        "recursiveReadOnly",
    ];
    let mut schema = texts(&names, &["mountPath", "name"]);
    schema["properties"]["readOnly"] = json!({"type": "boolean"});
    if of_1_37 {
        schema["properties"]["bindMountOptions"] = list(&json!({"type": "string"}));
    }
    schema
}

#[test]
fn newer_versions_of_a_type_are_it_where_they_are_asked_for() {
    let known = "Option<::k8s_openapi::api::core::v1::VolumeMount>";
    let mut settings = Settings::default();
    assert_eq!(field_with(&mount(false), &settings), known);
    assert_eq!(field_with(&mount(true), &settings), "Option<ShopX>");
    for (version, ty) in [("1.36", "Option<ShopX>"), ("1.37", known)] {
        settings.kubernetes = Some(version.to_owned());
        assert_eq!(field_with(&mount(false), &settings), known);
        assert_eq!(field_with(&mount(true), &settings), ty, "{version}");
    }
    for version in ["1.32", "1.38", "1.333", "2.33", "latest", ""] {
        settings.kubernetes = Some(version.to_owned());
        let refused = generate(&[crd(&json!({}))], &settings).unwrap_err();
        assert_eq!(
            refused.to_string(),
            format!(
                "kubernetes: version {version:?} is not supported by k8s-openapi 0.29; use one of 1.33 to 1.37"
            )
        );
    }
}

#[test]
fn what_a_type_writes_always_has_to_be_there() {
    let mut schema = mount(false);
    schema["required"] = json!(["mountPath"]);
    assert_eq!(field(&schema), "Option<ShopX>");
    // A server fills it in.
    schema["properties"]["name"]["default"] = "".into();
    assert_eq!(
        field(&schema),
        "Option<::k8s_openapi::api::core::v1::VolumeMount>"
    );
    schema["properties"]["name"]["default"] = "a".into();
    assert_eq!(field(&schema), "Option<ShopX>");
}

#[test]
fn what_holds_something_else_is_another_type() {
    let with = |keyword: &str, value: Value| {
        let mut schema = mount(false);
        schema[keyword] = value;
        field(&schema)
    };
    assert_eq!(
        with("x-kubernetes-preserve-unknown-fields", true.into()),
        "Option<ShopX>"
    );
    let mut schema = mount(false);
    schema["properties"]["subPath"] = json!({"type": "string", "nullable": true});
    assert_eq!(field(&schema), "Option<ShopX>");
    schema["properties"]["subPath"] = json!({"type": "string", "format": "byte"});
    assert_eq!(field(&schema), "Option<ShopX>");
    schema["properties"]["subPath"] = json!({"type": "string", "maxLength": 9});
    assert_eq!(
        field(&schema),
        "Option<::k8s_openapi::api::core::v1::VolumeMount>"
    );
}

/// A template of a claim, whose metadata a server keeps as its schema says.
fn template(metadata: &Value) -> Value {
    let text = json!({"type": "string"});
    let local = texts(&["apiGroup", "kind", "name"], &["kind", "name"]);
    let other = texts(
        &["apiGroup", "kind", "name", "namespace"],
        &["kind", "name"],
    );
    let quantity = json!({"x-kubernetes-int-or-string": true, "anyOf": [{"type": "integer"}, {"type": "string"}]});
    let quantities = json!({"type": "object", "additionalProperties": quantity});
    let mut spec = texts(
        &[
            "storageClassName",
            "volumeAttributesClassName",
            "volumeMode",
            "volumeName",
        ],
        &[],
    );
    let selector = spread(&[])["properties"]["labelSelector"].take();
    for (name, of) in [
        ("accessModes", list(&text)),
        ("dataSource", local),
        ("dataSourceRef", other),
        (
            "resources",
            json!({"type": "object", "properties": {"limits": quantities, "requests": quantities}}),
        ),
        ("selector", selector),
    ] {
        spec["properties"][name] = of;
    }
    json!({"type": "object", "required": ["spec"], "properties": {"metadata": metadata, "spec": spec}})
}

#[test]
fn metadata_is_that_of_kubernetes_where_a_server_keeps_no_more() {
    let known = "Option<::k8s_openapi::api::core::v1::PersistentVolumeClaimTemplate>";
    let object = json!({"type": "object"});
    assert_eq!(field(&template(&object)), known);
    let labels = json!({"type": "object", "additionalProperties": {"type": "string"}});
    let mut named =
        json!({"type": "object", "properties": {"name": {"type": "string"}, "labels": labels}});
    assert_eq!(field(&template(&named)), known);
    named["properties"]["other"] = json!({"type": "string"});
    assert_eq!(field(&template(&named)), "Option<ShopX>");
    let any = json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true});
    assert_eq!(field(&template(&any)), "Option<ShopX>");
}
