//! Tests of unusual roots: kinds without types, and specs and statuses that are not objects.

use crd_to_rust::{RootStyle, Settings, generate};
use serde_json::{Value, json};

use crate::{
    assert_contains_lines, crd_with_properties, field_type, generate_code, generate_code_with,
    generate_error,
};

/// Returns a CRD of the kind `Shop` with this schema of the root.
fn crd_with_root(root: &Value) -> Value {
    let mut crd = crd_with_properties(&json!({}));
    crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"] = root.clone();
    crd
}

fn crd_with_root_properties(properties: &Value) -> Value {
    crd_with_root(&json!({"type": "object", "required": ["spec"], "properties": properties}))
}

#[test]
fn kinds_without_types_are_notes() {
    let shop = crd_with_properties(&json!({}));
    let mut without_schema = shop.clone();
    without_schema["spec"]["names"]["kind"] = "Bare".into();
    without_schema["spec"]["versions"][0]["schema"].take();
    let mut of_beta = shop.clone();
    of_beta["apiVersion"] = "apiextensions.k8s.io/v1beta1".into();
    of_beta["spec"]["names"]["kind"] = "Beta\n}".into();
    let mut unserved = shop.clone();
    unserved["spec"]["names"]["kind"] = "Unserved".into();
    unserved["spec"]["versions"][0]["served"] = false.into();
    let crds = [without_schema.clone(), of_beta, shop, unserved];
    let generated = generate(&crds, &Settings::default()).unwrap();
    let notes: Vec<String> = generated.omitted_kinds().map(ToString::to_string).collect();
    assert_eq!(
        notes,
        [
            "Bare of example.com, version v1: spec.versions[0].schema.openAPIV3Schema: missing schema; types cannot be generated without it",
            "Beta\n} of example.com: apiVersion: apiextensions.k8s.io/v1beta1 is not supported; convert the CRD to apiextensions.k8s.io/v1",
            "Unserved of example.com: spec.versions: no version is served; select a version",
        ]
    );
    let source = generated.to_source().unwrap();
    let root_file = generated.files().unwrap().remove(0).content;
    for code in [&source, &root_file] {
        assert_contains_lines(
            code,
            "// Left out: Bare of example.com, version v1: spec.versions[0].schema.openAPIV3Schema: missing schema; types cannot be generated without it\n// Left out: Beta } of example.com: apiVersion: apiextensions.k8s.io/v1beta1 is not supported; convert the CRD to apiextensions.k8s.io/v1",
        );
        syn::parse_file(code).unwrap();
    }
    assert_eq!(generated.kinds().count(), 1);
    // Without any types, the result is an error, which names the kind if there are several.
    let problem = "spec.versions[0].schema.openAPIV3Schema: missing schema; types cannot be generated without it";
    assert_eq!(generate_error(&without_schema).to_string(), problem);
    let error = generate(
        &[without_schema.clone(), without_schema],
        &Settings::default(),
    );
    assert_eq!(error.unwrap_err().to_string(), format!("Bare: {problem}"));
}

#[test]
fn an_error_names_the_kind_if_there_are_several() {
    let shop = crd_with_properties(&json!({}));
    let mut broken = crd_with_properties(&json!({"x": {"type": "text"}}));
    broken["spec"]["names"]["kind"] = "Broken".into();
    let error = generate(&[shop, broken], &Settings::default()).unwrap_err();
    let error = error.to_string();
    assert!(error.starts_with("Broken: spec.versions[0]"), "{error}");
}

#[test]
fn a_status_or_spec_that_is_not_an_object_is_a_struct_around_the_value() {
    let any = json!({"x-kubernetes-preserve-unknown-fields": true});
    let list = json!({"type": "array", "items": {"type": "object", "properties": {"a": {"type": "boolean"}}}});
    let map =
        json!({"type": "object", "additionalProperties": {"type": "integer", "format": "int32"}});
    for (schema, value) in [
        (json!({"type": "string"}), "pub String"),
        (
            json!({"type": "string", "enum": ["A"], "default": "A"}),
            "pub Shop0Item",
        ),
        (
            json!({"type": "integer", "enum": [1], "default": 1}),
            "pub Shop0Item",
        ),
        (json!({"type": "integer", "format": "int32"}), "pub i32"),
        (json!({"type": "number", "format": "double"}), "pub f64"),
        (json!({"type": "boolean"}), "pub bool"),
        (list, "pub Vec<Shop0Item>"),
        (map, "pub ::std::collections::BTreeMap<String, i32>"),
        (any, "pub ::serde_json::Value"),
    ] {
        for part in ["Spec", "Status"] {
            let mut properties = json!({"spec": {"type": "object"}});
            properties[part.to_lowercase()] = schema.clone();
            let code = generate_code(&crd_with_root_properties(&properties));
            let code: String = code.split_whitespace().collect();
            let value: String = value.replace('0', part).split_whitespace().collect();
            let (_, declaration) = code.split_once(&*format!("pubstructShop{part}(")).unwrap();
            let (declaration, _) = declaration.split_once(");").unwrap();
            assert!(
                declaration.trim_end_matches(',').ends_with(&value),
                "{declaration}, {value}"
            );
        }
    }
}

#[test]
fn a_status_can_be_an_enum_of_values() {
    let properties =
        json!({"spec": {"type": "object"}, "status": {"type": "string", "enum": ["Ready"]}});
    let code = generate_code(&crd_with_root_properties(&properties));
    assert_contains_lines(&code, "#[kube(status = \"ShopStatus\")]");
    assert!(code.contains("pub enum ShopStatus {"), "{code}");
}

#[test]
fn a_root_keeps_its_unknown_fields() {
    for properties in [json!({}), json!({"size": {"type": "boolean"}})] {
        let root = json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true, "properties": properties});
        let code = generate_code(&crd_with_root(&root));
        assert_contains_lines(
            &code,
            "#[serde(flatten, deserialize_with = \"unknown_fields_of_root\")]\n#[schemars(skip)]\npub rest:",
        );
    }
}

#[test]
fn the_style_of_the_root_decides_about_a_missing_spec() {
    let root = json!({"type": "object", "properties": {"spec": {"type": "object"}}});
    let crd = crd_with_root(&root);
    let comment = "// The schema does not require `spec`, but kube's root type does: an object without `spec` fails to deserialize, except with `RootStyle::Fields`.";
    assert!(generate_code(&crd).contains(comment));
    let mut settings = Settings::default();
    settings.root = RootStyle::Fields;
    let code = generate_code_with(&crd, &settings);
    assert!(
        !code.contains(comment) && code.contains("#[kube(no_spec)]"),
        "{code}"
    );
    assert!(code.contains("pub spec: Option<ShopSpec>,"), "{code}");
    // The server fills in a default.
    let root = json!({"type": "object", "properties": {"spec": {"type": "object", "default": {}}}});
    assert!(!generate_code(&crd_with_root(&root)).contains("does not require"));
}

#[test]
fn schemas_have_no_values_that_a_server_does_not_store() {
    let port = json!({"x-kubernetes-int-or-string": true, "nullable": false, "pattern": ""});
    let schema = json!({
        "type": "object", "nullable": false, "required": [], "description": "",
        "properties": {"nullable": port, "enum": {"type": "array", "uniqueItems": false, "items": port}},
    });
    assert_eq!(field_type(&schema), "Option<ShopX>");
    let code = generate_code(&crd_with_properties(&json!({"x": schema, "port": port})));
    assert!(
        !code.contains("\"nullable\" = false") && !code.contains("uniqueItems"),
        "{code}"
    );
    // Without the null, kube's derive would add `nullable: true`.
    assert_contains_lines(&code, "\"nullable\" = null");
    assert!(
        !code.contains("pattern") && !code.contains("\"required\""),
        "{code}"
    );
}
