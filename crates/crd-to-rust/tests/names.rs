//! Tests of the generated names: valid in Rust, unique, and the same for the same CRD.

use serde_json::json;

use crate::{assert_lines, code, crd, crd_of};

#[test]
fn abbreviations_count_as_words() {
    let code = code(&crd(
        &json!({"podIPs": {"type": "string"}, "URLRewrite": {"type": "string"}}),
    ));
    assert_lines(&code, "pub pod_ips: Option<String>,");
    assert_lines(&code, "pub url_rewrite: Option<String>,");
}

#[test]
fn keywords_are_raw_identifiers_or_have_an_underscore() {
    let code = code(&crd(
        &json!({"type": {"type": "string"}, "self": {"type": "string"}, "gen": {"type": "string"}}),
    ));
    assert_lines(&code, "pub r#type: Option<String>,");
    assert_lines(&code, "pub self_: Option<String>,");
    assert_lines(&code, "pub r#gen: Option<String>,");
}

#[test]
fn a_number_follows_an_underscore_without_another_underscore() {
    let code = code(&crd(
        &json!({"self": {"type": "string"}, "Self": {"type": "string"}, "self_": {"type": "string"}, "SELF": {"type": "string"}}),
    ));
    for name in ["self_", "self_2", "self_3", "self_4"] {
        assert_lines(&code, &format!("pub {name}: Option<String>,"));
    }
}

#[test]
fn names_that_are_valid_in_rust_are_kept() {
    let code = code(&crd(
        &json!({"fooBar": {"type": "string"}, "foo_bar": {"type": "string"}, "foo-bar": {"type": "string"}}),
    ));
    assert_lines(
        &code,
        "/// `foo_bar`.\n#[serde(default, skip_serializing_if = \"Option::is_none\")]\n#[schemars(with = \"String\")]\npub foo_bar: Option<String>,",
    );
    assert_lines(&code, "pub foo_bar_2: Option<String>,");
    assert_lines(&code, "pub foo_bar_3: Option<String>,");
}

#[test]
fn equal_schemas_share_a_type_with_the_shortest_path_as_its_name() {
    let port = json!({"type": "object", "properties": {"number": {"type": "integer"}}});
    let code = code(&crd(&json!({
        "a": {"type": "object", "properties": {"port": port}},
        "port": port,
    })));
    assert_lines(&code, "pub struct ShopPort {");
    assert!(!code.contains("ShopAPort"), "{code}");
}

#[test]
fn values_become_variants() {
    let code = code(&crd(
        &json!({"kind": {"type": "string", "enum": ["http-get", "TCP", "", "Other", "1m", "1-m", "Self", "<="]}}),
    ));
    assert_lines(&code, "#[serde(rename = \"http-get\")]\nHttpGet,");
    assert_lines(&code, "#[serde(rename = \"TCP\")]\nTcp,");
    assert_lines(&code, "#[serde(rename = \"\")]\nEmpty,");
    assert_lines(&code, "#[serde(rename = \"1m\")]\nValue1m,");
    assert_lines(&code, "#[serde(rename = \"1-m\")]\nValue1M,");
    assert_lines(&code, "#[serde(rename = \"Self\")]\nSelf_,");
    assert_lines(&code, "#[serde(rename = \"<=\")]\nValue,");
    assert_lines(
        &code,
        "#[enum_type(other)]\n#[serde(untagged)]\nOther2(String),",
    );
}

#[test]
fn values_that_are_keywords_are_numbered_like_types() {
    let code = code(&crd(
        &json!({"kind": {"type": "string", "enum": ["self", "Self", "SELF"]}}),
    ));
    for name in ["Self_", "Self2", "Self3"] {
        assert_lines(&code, &format!("{name},"));
    }
}

#[test]
fn kinds_with_a_name_of_the_prelude_are_renamed() {
    let mut crd = crd_of(&json!({"type": "object"}));
    crd["spec"]["names"]["kind"] = "Option".into();
    let code = code(&crd);
    assert!(code.contains("root = \"OptionObject\""), "{code}");
}
