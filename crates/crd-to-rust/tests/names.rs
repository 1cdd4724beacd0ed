//! Tests of the generated names: valid in Rust, unique, and the same for the same CRD.

use serde_json::json;

use crate::{assert_contains_lines, crd_with_properties, crd_with_spec, generate_code};

#[test]
fn an_abbreviation_is_one_word_of_a_field_name() {
    let code = generate_code(&crd_with_properties(
        &json!({"podIPs": {"type": "string"}, "URLRewrite": {"type": "string"}}),
    ));
    assert_contains_lines(&code, "pub pod_ips: Option<String>,");
    assert_contains_lines(&code, "pub url_rewrite: Option<String>,");
}

#[test]
fn keywords_become_raw_identifiers_or_get_an_underscore() {
    let code = generate_code(&crd_with_properties(
        &json!({"type": {"type": "string"}, "self": {"type": "string"}, "gen": {"type": "string"}}),
    ));
    assert_contains_lines(&code, "pub r#type: Option<String>,");
    assert_contains_lines(&code, "pub self_: Option<String>,");
    assert_contains_lines(&code, "pub r#gen: Option<String>,");
}

#[test]
fn a_number_follows_an_underscore_without_another_underscore() {
    let code = generate_code(&crd_with_properties(
        &json!({"self": {"type": "string"}, "Self": {"type": "string"}, "self_": {"type": "string"}, "SELF": {"type": "string"}}),
    ));
    for name in ["self_", "self_2", "self_3", "self_4"] {
        assert_contains_lines(&code, &format!("pub {name}: Option<String>,"));
    }
}

#[test]
fn a_snake_case_name_is_kept_and_names_that_equal_it_are_numbered() {
    let code = generate_code(&crd_with_properties(
        &json!({"fooBar": {"type": "string"}, "foo_bar": {"type": "string"}, "foo-bar": {"type": "string"}}),
    ));
    assert_contains_lines(
        &code,
        "/// `foo_bar`.\n#[serde(default, skip_serializing_if = \"Option::is_none\")]\n#[schemars(with = \"String\")]\npub foo_bar: Option<String>,",
    );
    assert_contains_lines(&code, "pub foo_bar_2: Option<String>,");
    assert_contains_lines(&code, "pub foo_bar_3: Option<String>,");
}

#[test]
fn equal_schemas_share_a_type_with_the_shortest_path_as_its_name() {
    let port = json!({"type": "object", "properties": {"number": {"type": "integer"}}});
    let code = generate_code(&crd_with_properties(&json!({
        "a": {"type": "object", "properties": {"port": port}},
        "port": port,
    })));
    assert_contains_lines(&code, "pub struct ShopPort {");
    assert!(!code.contains("ShopAPort"), "{code}");
}

#[test]
fn enum_values_become_pascal_case_variants() {
    let code = generate_code(&crd_with_properties(
        &json!({"kind": {"type": "string", "enum": ["http-get", "TCP", "", "Other", "1m", "1-m", "Self", "<="]}}),
    ));
    assert_contains_lines(&code, "#[serde(rename = \"http-get\")]\nHttpGet,");
    assert_contains_lines(&code, "#[serde(rename = \"TCP\")]\nTcp,");
    assert_contains_lines(&code, "#[serde(rename = \"\")]\nEmpty,");
    assert_contains_lines(&code, "#[serde(rename = \"1m\")]\nValue1m,");
    assert_contains_lines(&code, "#[serde(rename = \"1-m\")]\nValue1M,");
    assert_contains_lines(&code, "#[serde(rename = \"Self\")]\nSelf_,");
    assert_contains_lines(&code, "#[serde(rename = \"<=\")]\nValue,");
    assert_contains_lines(
        &code,
        "#[enum_type(other)]\n#[serde(untagged)]\nOther2(String),",
    );
}

#[test]
fn variants_named_after_a_keyword_are_numbered_without_an_underscore() {
    let code = generate_code(&crd_with_properties(
        &json!({"kind": {"type": "string", "enum": ["self", "Self", "SELF"]}}),
    ));
    for name in ["Self_", "Self2", "Self3"] {
        assert_contains_lines(&code, &format!("{name},"));
    }
}

#[test]
fn kinds_with_a_name_of_the_prelude_are_renamed() {
    let mut crd = crd_with_spec(&json!({"type": "object"}));
    crd["spec"]["names"]["kind"] = "Option".into();
    let code = generate_code(&crd);
    assert!(code.contains("root = \"OptionObject\""), "{code}");
}
