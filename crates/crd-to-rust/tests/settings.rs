//! Tests of the settings.

use crd_to_rust::{SchemaOutput, Settings, StringEnums, UnionStyle, generate};
use serde_json::json;

use crate::{assert_lines, code, code_with, crd, crd_of};

#[test]
fn the_same_crds_give_the_same_code() {
    let crd = crd(
        &json!({"a": {"type": "string"}, "b": {"type": "object", "properties": {"c": {"type": "integer"}}}}),
    );
    assert_eq!(code(&crd), code(&crd));
}

#[test]
fn several_files_have_the_same_code_as_one_file() {
    let mut crd = crd(&json!({"a": {"type": "string"}}));
    let mut second = crd["spec"]["versions"][0].clone();
    second["name"] = "v2".into();
    second["storage"] = false.into();
    crd["spec"]["versions"].as_array_mut().unwrap().push(second);
    let generated = generate(&[crd], &Settings::default()).unwrap();
    let files = generated.files().unwrap();
    let paths: Vec<&str> = files.iter().map(|file| &*file.path).collect();
    assert_eq!(paths, ["mod.rs", "shop/v1.rs", "shop/v2.rs"]);
    assert_lines(
        &files[0].content,
        "pub mod shop {\n/// `Shop`, version `v1`.\npub mod v1;",
    );
    assert_lines(&files[0].content, "//! Types of custom resources.");
    assert_lines(&generated.to_source().unwrap(), "pub mod v2 {");
    assert_lines(&files[2].content, "#[kube(storage = false)]");
    let kinds: Vec<&str> = generated.kinds().map(|kind| &*kind.path).collect();
    assert_eq!(kinds, ["shop::v1::Shop", "shop::v2::Shop"]);
}

#[test]
fn derives_are_added_and_default_only_where_possible() {
    let crd = crd_of(
        &json!({"type": "object", "required": ["kind", "size"], "properties": {
            "kind": {"type": "string", "enum": ["A"]},
            "size": {"type": "object", "required": ["n"], "properties": {"n": {"type": "integer"}}},
        }}),
    );
    let mut settings = Settings::default();
    settings.derives = vec!["Default".into(), "::my_crate::Trait".into()];
    let code = code_with(&crd, &settings);
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
fn without_a_schema_there_are_no_rules() {
    let crd = crd(
        &json!({"a": {"type": "string", "minLength": 1, "x-kubernetes-validations": [{"rule": "true"}]}}),
    );
    let mut settings = Settings::default();
    settings.schema = SchemaOutput::Disabled;
    let code = code_with(&crd, &settings);
    assert!(
        code.contains("schema = \"disabled\"")
            && !code.contains("schemars")
            && !code.contains("x_kube"),
        "{code}"
    );
}

#[test]
fn closed_enums_and_plain_unions() {
    let crd = crd(&json!({"u": {
        "type": "object", "required": ["type"],
        "properties": {"type": {"type": "string", "enum": ["A", "B"]}, "a": {"type": "object"}, "b": {"type": "object"}},
        "x-kubernetes-validations": [
            {"rule": "self.type == 'A' ? has(self.a) : !has(self.a)"},
            {"rule": "self.type == 'B' ? has(self.b) : !has(self.b)"},
        ],
    }}));
    let mut settings = Settings::default();
    settings.enums = StringEnums::Closed;
    assert_lines(
        &code_with(&crd, &settings),
        "#[union(discriminator = \"type\", strict)]",
    );
    settings.unions = UnionStyle::Struct;
    let code = code_with(&crd, &settings);
    assert!(
        !code.contains("other)]") && code.contains("::union_runtime::Union,"),
        "{code}"
    );
    settings.unions = UnionStyle::Off;
    let code = code_with(&crd, &settings);
    assert!(
        !code.contains("union(") && code.contains("has(self.b) : !has(self.b)"),
        "{code}"
    );
}

#[test]
fn derives_are_for_all_types_or_for_some() {
    let crd = crd(&json!({
        "a": {"type": "string", "enum": ["A"]},
        "b": {"type": "object", "properties": {"c": {"type": "string"}}},
    }));
    let mut settings = Settings::default();
    settings.derives = ["@struct=::bon::Builder", "@enum=Hash", "@enum=Eq", "Clone"]
        .map(str::to_owned)
        .into();
    let code = code_with(&crd, &settings);
    let derives = |item: &str| {
        let before = code.split(item).next().unwrap();
        let derives = before.rsplit("#[derive(").next().unwrap();
        derives.split_whitespace().collect::<String>()
    };
    assert!(derives("pub struct ShopB").contains("::bon::Builder)"));
    assert!(!derives("pub struct ShopB").contains("Hash"));
    assert!(derives("pub enum ShopA").contains("Hash)"));
    // The type already has the derive, so the setting does not add it again.
    assert_eq!(
        derives("pub enum ShopA").matches("Eq,").count(),
        2,
        "{code}"
    );
    assert_eq!(derives("pub struct ShopB").matches("Clone").count(), 1);
}
