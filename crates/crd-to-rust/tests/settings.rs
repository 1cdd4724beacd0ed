//! Tests of the settings.

use crd_to_rust::{SchemaOutput, Settings, StringEnums, UnionStyle, generate};
use serde_json::json;

use crate::{
    assert_contains_lines, crd_with_properties, crd_with_spec, generate_code, generate_code_with,
};

#[test]
fn equal_crds_result_in_equal_code() {
    let crd = crd_with_properties(
        &json!({"a": {"type": "string"}, "b": {"type": "object", "properties": {"c": {"type": "integer"}}}}),
    );
    assert_eq!(generate_code(&crd), generate_code(&crd));
}

#[test]
fn the_files_have_a_root_module_and_a_module_for_each_version() {
    let mut crd = crd_with_properties(&json!({"a": {"type": "string"}}));
    let mut second_version = crd["spec"]["versions"][0].clone();
    second_version["name"] = "v2".into();
    second_version["storage"] = false.into();
    crd["spec"]["versions"]
        .as_array_mut()
        .unwrap()
        .push(second_version);
    let generated = generate(&[crd], &Settings::default()).unwrap();
    let files = generated.files().unwrap();
    let paths: Vec<&str> = files.iter().map(|file| &*file.path).collect();
    assert_eq!(paths, ["mod.rs", "shop/v1.rs", "shop/v2.rs"]);
    assert_contains_lines(
        &files[0].content,
        "pub mod shop {\n/// `Shop`, version `v1`.\npub mod v1;",
    );
    assert_contains_lines(&files[0].content, "//! Types of custom resources.");
    assert_contains_lines(&generated.to_source().unwrap(), "pub mod v2 {");
    assert_contains_lines(&files[2].content, "#[kube(storage = false)]");
    let kinds: Vec<&str> = generated.kinds().map(|kind| &*kind.path).collect();
    assert_eq!(kinds, ["shop::v1::Shop", "shop::v2::Shop"]);
}

#[test]
fn derives_of_the_settings_are_added_and_default_only_to_types_with_defaults() {
    let crd = crd_with_spec(
        &json!({"type": "object", "required": ["kind", "size"], "properties": {
            "kind": {"type": "string", "enum": ["A"]},
            "size": {"type": "object", "required": ["n"], "properties": {"n": {"type": "integer"}}},
        }}),
    );
    let mut settings = Settings::default();
    settings.derives = vec!["Default".into(), "::my_crate::Trait".into()];
    let code = generate_code_with(&crd, &settings);
    let derives: Vec<&str> = code
        .split("#[derive(")
        .skip(1)
        .map(|code| code.split("pub ").next().unwrap())
        .collect();
    assert!(
        !derives[0].contains("Default") && derives[0].contains("::my_crate::Trait"),
        "{code}"
    );
    assert!(!derives[1].contains("Default,"), "{code}");
    assert!(
        derives[2].contains("Default") && code.contains("pub struct ShopSize"),
        "{code}"
    );

    settings.derives = vec!["no path!".into()];
    let error = generate(&[crd], &settings).unwrap_err();
    assert_eq!(
        error.to_string(),
        "derives: \"no path!\" must be the path of a derive, such as `Default` or `@struct=Default`"
    );
}

#[test]
fn types_without_a_schema_have_no_rules() {
    let crd = crd_with_properties(
        &json!({"a": {"type": "string", "minLength": 1, "x-kubernetes-validations": [{"rule": "true"}]}}),
    );
    let mut settings = Settings::default();
    settings.schema = SchemaOutput::Disabled;
    let code = generate_code_with(&crd, &settings);
    assert!(
        code.contains("schema = \"disabled\"")
            && !code.contains("schemars")
            && !code.contains("x_kube"),
        "{code}"
    );
}

#[test]
fn closed_enums_are_strict_and_unions_can_be_structs_or_plain_fields() {
    let crd = crd_with_properties(&json!({"u": {
        "type": "object", "required": ["type"],
        "properties": {"type": {"type": "string", "enum": ["A", "B"]}, "a": {"type": "object"}, "b": {"type": "object"}},
        "x-kubernetes-validations": [
            {"rule": "self.type == 'A' ? has(self.a) : !has(self.a)"},
            {"rule": "self.type == 'B' ? has(self.b) : !has(self.b)"},
        ],
    }}));
    let mut settings = Settings::default();
    settings.enums = StringEnums::Closed;
    assert_contains_lines(
        &generate_code_with(&crd, &settings),
        "#[union(discriminator = \"type\", strict)]",
    );
    settings.unions = UnionStyle::Struct;
    let code = generate_code_with(&crd, &settings);
    assert!(
        !code.contains("other)]") && code.contains("::union_runtime::Union,"),
        "{code}"
    );
    settings.unions = UnionStyle::Off;
    let code = generate_code_with(&crd, &settings);
    assert!(
        !code.contains("union(") && code.contains("has(self.b) : !has(self.b)"),
        "{code}"
    );
}

#[test]
fn a_prefix_restricts_a_derive_to_one_kind_of_types() {
    let crd = crd_with_properties(&json!({
        "a": {"type": "string", "enum": ["A"]},
        "b": {"type": "object", "properties": {"c": {"type": "string"}}},
    }));
    let mut settings = Settings::default();
    settings.derives = ["@struct=::bon::Builder", "@enum=Hash", "@enum=Eq", "Clone"]
        .map(str::to_owned)
        .into();
    let code = generate_code_with(&crd, &settings);
    let derives_of = |item: &str| {
        let code_before_item = code.split(item).next().unwrap();
        let derives = code_before_item.rsplit("#[derive(").next().unwrap();
        derives.split_whitespace().collect::<String>()
    };
    assert!(derives_of("pub struct ShopB").contains("::bon::Builder)"));
    assert!(!derives_of("pub struct ShopB").contains("Hash"));
    assert!(derives_of("pub enum ShopA").contains("Hash)"));
    // The type already has the derive, so the setting does not add it again.
    assert_eq!(
        derives_of("pub enum ShopA").matches("Eq,").count(),
        2,
        "{code}"
    );
    assert_eq!(derives_of("pub struct ShopB").matches("Clone").count(), 1);
}
