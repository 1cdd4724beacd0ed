//! Names: of Rust, never two of a kind, and the same for the same CRD.

use serde_json::json;

use crate::{assert_lines, crd, crd_of, text};

#[test]
fn abbreviations_are_words() {
    let text = text(&crd(
        &json!({"podIPs": {"type": "string"}, "URLRewrite": {"type": "string"}}),
    ));
    assert_lines(&text, "pub pod_ips: Option<String>,");
    assert_lines(&text, "pub url_rewrite: Option<String>,");
}

#[test]
fn words_of_the_language_are_raw_or_have_an_underscore() {
    let text = text(&crd(
        &json!({"type": {"type": "string"}, "self": {"type": "string"}, "gen": {"type": "string"}}),
    ));
    assert_lines(&text, "pub r#type: Option<String>,");
    assert_lines(&text, "pub self_: Option<String>,");
    assert_lines(&text, "pub r#gen: Option<String>,");
}

#[test]
fn a_number_behind_an_underscore_has_no_other_one() {
    let text = text(&crd(
        &json!({"self": {"type": "string"}, "Self": {"type": "string"}, "self_": {"type": "string"}, "SELF": {"type": "string"}}),
    ));
    for name in ["self_", "self_2", "self_3", "self_4"] {
        assert_lines(&text, &format!("pub {name}: Option<String>,"));
    }
}

#[test]
fn what_is_called_as_in_rust_keeps_its_name() {
    let text = text(&crd(
        &json!({"fooBar": {"type": "string"}, "foo_bar": {"type": "string"}, "foo-bar": {"type": "string"}}),
    ));
    assert_lines(
        &text,
        "/// `foo_bar`.\n#[serde(default, skip_serializing_if = \"Option::is_none\")]\n#[schemars(with = \"String\")]\npub foo_bar: Option<String>,",
    );
    assert_lines(&text, "pub foo_bar_2: Option<String>,");
    assert_lines(&text, "pub foo_bar_3: Option<String>,");
}

#[test]
fn equal_objects_are_one_type_named_after_the_nearest_place() {
    let port = json!({"type": "object", "properties": {"number": {"type": "integer"}}});
    let text = text(&crd(&json!({
        "a": {"type": "object", "properties": {"port": port}},
        "port": port,
    })));
    assert_lines(&text, "pub struct ShopPort {");
    assert!(!text.contains("ShopAPort"), "{text}");
}

#[test]
fn values_become_variants() {
    let text = text(&crd(
        &json!({"kind": {"type": "string", "enum": ["http-get", "TCP", "", "Other", "1m", "1-m", "Self", "<="]}}),
    ));
    assert_lines(&text, "#[serde(rename = \"http-get\")]\nHttpGet,");
    assert_lines(&text, "#[serde(rename = \"TCP\")]\nTcp,");
    assert_lines(&text, "#[serde(rename = \"\")]\nEmpty,");
    assert_lines(&text, "#[serde(rename = \"1m\")]\nValue1m,");
    assert_lines(&text, "#[serde(rename = \"1-m\")]\nValue1M,");
    assert_lines(&text, "#[serde(rename = \"Self\")]\nSelf_,");
    assert_lines(&text, "#[serde(rename = \"<=\")]\nValue,");
    assert_lines(
        &text,
        "#[enum_type(other)]\n#[serde(untagged)]\nOther2(String),",
    );
}

#[test]
fn values_that_are_words_of_the_language_are_numbered_as_types_are() {
    let text = text(&crd(
        &json!({"kind": {"type": "string", "enum": ["self", "Self", "SELF"]}}),
    ));
    for name in ["Self_", "Self2", "Self3"] {
        assert_lines(&text, &format!("{name},"));
    }
}

#[test]
fn kinds_that_mean_something_to_derives_get_another_name() {
    let mut crd = crd_of(&json!({"type": "object"}));
    crd["spec"]["names"]["kind"] = "Option".into();
    let text = text(&crd);
    assert!(text.contains("root = \"OptionObject\""), "{text}");
}
