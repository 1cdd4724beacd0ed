//! Tests that kube's typed CRD loses the extension of unions, and no other key that the schema
//! hooks add.
//!
//! An API server does not know `x-kubernetes-unions`, and strict clients reject a CRD that has the
//! extension.

use kube::CustomResourceExt;
use kube::core::schema::{OptionalEnum, OptionalIntOrString, StructuralSchemaRewriter};
use schemars::generate::SchemaSettings;
use schemars::transform::AddNullable;
use serde_json::{Value, json};
use union_runtime::schema_for;

use crate::crd::Required;

/// Returns the schema as `CustomResource` generates it, before it becomes kube's type.
fn generated_schema() -> Value {
    SchemaSettings::openapi3()
        .with(|settings| {
            settings.inline_subschemas = true;
            settings.meta_schema = None;
        })
        .with_transform(AddNullable::default())
        .with_transform(StructuralSchemaRewriter)
        .with_transform(OptionalEnum)
        .with_transform(OptionalIntOrString)
        .into_generator()
        .into_root_schema_for::<Required>()
        .to_value()
}

fn crd_schema() -> Value {
    let crd = serde_json::to_value(Required::crd()).unwrap_or_default();
    crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"].clone()
}

#[test]
fn the_typed_crd_has_no_extension() {
    let text = crd_schema().to_string();
    assert!(!text.contains("x-kubernetes-unions"), "{text}");
    assert!(!text.contains("x-union"), "{text}");
    assert!(text.contains("x-kubernetes-validations"), "{text}");
}

#[test]
fn the_generated_schema_has_the_extension_and_differs_only_in_a_mark() {
    let mut generated_spec = generated_schema()["properties"]["spec"].clone();
    let kind = generated_spec["properties"]["type"].as_object_mut();
    let kind = kind.expect("a property");
    let extension = kind.remove("x-kubernetes-unions");
    assert_eq!(extension, Some(extension_of_required()));
    // The key is a mark for `FinishSchema`, which `k8s-openapi` does not know either.
    assert_eq!(kind.remove("x-union-enforced"), Some(json!(true)));
    assert_eq!(generated_spec, crd_schema()["properties"]["spec"]);
}

#[test]
fn schema_for_the_resource_has_the_extension() {
    let schema = schema_for::<Required>().to_value();
    let spec = &schema["properties"]["spec"];
    assert_eq!(
        spec["properties"]["type"]["x-kubernetes-unions"],
        extension_of_required()
    );
    assert_eq!(
        spec["x-kubernetes-validations"],
        crd_schema()["properties"]["spec"]["x-kubernetes-validations"]
    );
}

fn extension_of_required() -> Value {
    json!({ "fieldMembers": {
        "Alpha": { "name": "alpha", "optional": false },
        "Beta": { "name": "beta", "optional": true },
        "None": null,
    } })
}
