//! Tests of the code that is generated for each keyword of a schema.

use serde_json::{Value, json};

use crate::{assert_lines, crd, crd_of, field, text};

#[test]
fn formats_are_types() {
    let of = |format: &str| field(&json!({"type": "string", "format": format}));
    assert!(
        of("date-time").ends_with("meta::v1::Time>"),
        "{}",
        of("date-time")
    );
    assert_eq!(of("byte"), "Option<::k8s_openapi::ByteString>");
    assert_eq!(of("ipv4"), "Option<String>");
    assert_eq!(
        field(&json!({"type": "integer", "format": "int32"})),
        "Option<i32>"
    );
    assert_eq!(field(&json!({"type": "integer"})), "Option<i64>");
    assert_eq!(field(&json!({"type": "number"})), "Option<f64>");
    let either = json!({"x-kubernetes-int-or-string": true, "anyOf": [{"type": "integer"}, {"type": "string"}]});
    assert!(field(&either).ends_with("intstr::IntOrString>"));
    let mut quantity = either;
    quantity["pattern"] = "^([0-9]+)(([KMGTPE]i)|[numkMGTPE]|([eE][0-9]+))?$".into();
    assert!(field(&quantity).ends_with("resource::Quantity>"));
    let map = json!({"type": "object", "additionalProperties": {"type": "boolean"}});
    assert_eq!(
        field(&map),
        "Option<::std::collections::BTreeMap<String,bool>>"
    );
    assert_eq!(
        field(&json!({"x-kubernetes-preserve-unknown-fields": true})),
        "Option<::serde_json::Value>"
    );
    assert_eq!(field(&json!({"type": "object"})), "Option<ShopX>");
}

#[test]
fn presence_is_option() {
    let text = text(&crd_of(
        &json!({"type": "object", "required": ["a", "b", "c"], "properties": {
            "a": {"type": "string"},
            "b": {"type": "string", "nullable": true},
            "c": {"type": "string", "default": "d"},
        }}),
    ));
    assert_lines(&text, "pub a: String,");
    assert_lines(
        &text,
        "#[schemars(with = \"String\", extend(\"nullable\" = true))]\npub b: Option<String>,",
    );
    assert_lines(
        &text,
        "#[serde(default, skip_serializing_if = \"Option::is_none\")]\n#[schemars(with = \"String\", extend(\"default\" = \"d\"))]\npub c: Option<String>,",
    );
}

#[test]
fn rules_are_those_of_kube() {
    let text = text(&crd_of(&json!({"type": "object",
        "properties": {"a": {"type": "string", "x-kubernetes-validations": [{"rule": "self != ''"}]}},
        "x-kubernetes-validations": [
            {"rule": "has(self.a)", "message": "a"},
            {"rule": "self.a == oldSelf.a", "reason": "FieldValueForbidden", "fieldPath": ".a", "messageExpression": "'no'"},
        ],
    })));
    assert_lines(&text, "#[x_kube(validation = (\"has(self.a)\", \"a\"))]");
    assert!(
        text.contains(".reason(Reason::FieldValueForbidden)"),
        "{text}"
    );
    assert!(
        text.contains("Message::Expression(\"'no'\".into())"),
        "{text}"
    );
    assert_lines(&text, "#[x_kube(validation = \"self != ''\")]");
}

#[test]
fn descriptions_are_docs_that_nothing_runs() {
    let text = text(&crd(&json!({"x": {"type": "string", "description":
        "See [this] and <that>, `[code]` at https://a.b/c.\n\n    fn indented() {}\n\n```\nfenced\n```\n```rust\nfenced too\r\n```\n```\nopen"
    }})));
    assert_lines(
        &text,
        "
        /// See \\[this\\] and \\<that\\>, `[code]` at <https://a.b/c>.
        ///
        ///    fn indented() {}
        ///
        /// ```text
        /// fenced
        /// ```
        /// ```text
        /// fenced too
        /// ```
        /// ```text
        /// open
        /// ```
    ",
    );
}

#[test]
fn a_kind_without_a_spec_has_its_fields_at_the_root() {
    let mut crd = crd_of(&json!({"type": "object"}));
    let schema = &mut crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"];
    *schema = json!({"type": "object", "properties": {
        "apiVersion": {"type": "string"}, "kind": {"type": "string"}, "metadata": {"type": "object"},
        "data": {"type": "string"}, "status": {"type": "object", "properties": {"ready": {"type": "boolean"}}},
    }});
    let text = text(&crd);
    assert_lines(&text, "#[kube(no_spec)]\n#[kube(status = \"ShopStatus\")]");
    assert_lines(&text, "pub struct ShopFields {");
    assert!(!text.contains("pub metadata"), "{text}");
}

fn union(properties: &Value, rules: &Value) -> String {
    text(&crd(&json!({"u": {
        "type": "object", "required": ["type"], "properties": properties, "x-kubernetes-validations": rules,
    }})))
}

#[test]
fn an_exact_union_that_is_alone_is_an_enum() {
    let object = json!({"type": "object", "properties": {"x": {"type": "string"}}});
    let rules = json!([
        {"rule": "self.type == 'A' ? has(self.a) : !has(self.a)"},
        {"rule": "self.type == 'B' || !has(self.b)"},
    ]);
    let values = json!({"type": "string", "enum": ["A", "B", "None"]});
    let text = union(&json!({"type": values, "a": object, "b": object}), &rules);
    assert_lines(
        &text,
        "#[derive(::union_runtime::UnionEnum, Clone, Debug, PartialEq)]\n#[union(discriminator = \"type\")]\npub enum ShopU {",
    );
    assert_lines(&text, "#[union(member = \"A\", field = \"a\")]\nA(ShopUA),");
    assert_lines(
        &text,
        "#[union(member = \"B\", field = \"b\")]\nB(Option<ShopUA>),",
    );
    assert!(!text.contains("x_kube"), "{text}");

    // A field beside it, or a member with bounds of its own, makes a struct of it.
    let beside = union(
        &json!({"type": values, "a": object, "b": object, "c": {"type": "string"}}),
        &rules,
    );
    assert_lines(&beside, "#[union(member = \"B\", optional)]");
    let bounded = union(
        &json!({"type": values, "a": {"type": "string", "minLength": 1}, "b": object}),
        &rules,
    );
    assert_lines(&bounded, "#[union(member = \"A\")]");
}

#[test]
fn a_hole_is_a_comment_with_its_remedy() {
    let object = json!({"type": "object", "properties": {"x": {"type": "string"}}});
    let text = union(
        &json!({"type": {"type": "string", "enum": ["A", "B"]}, "a": object, "b": object}),
        &json!([
            {"rule": "self.type == 'A' ? has(self.a) : !has(self.a)"},
            {"rule": "self.type == 'B' ? has(self.b) : true"},
        ]),
    );
    assert!(text.contains("// A missing rule, not-forbidden:"), "{text}");
    assert!(
        text.contains("Remedy: self.type == 'B' ? has(self.b) : !has(self.b)"),
        "{text}"
    );
    // The rule with the hole stays.
    assert_lines(
        &text,
        "#[x_kube(validation = \"self.type == 'B' ? has(self.b) : true\")]",
    );
    assert!(!text.contains("has(self.a) : !has(self.a)\""), "{text}");
}

#[test]
fn fields_whose_empty_value_counts_as_unset_stay_plain() {
    let rule = "!(has(self.names) && self.names.size() > 0 && has(self.all))";
    let text = module(&json!({
        "type": "object",
        "properties": {"names": {"type": "array", "items": {"type": "string"}}, "all": {"type": "boolean"}},
        "x-kubernetes-validations": [{"rule": rule, "message": "names or all"}],
    }));
    assert_lines(
        &text,
        "// `all`, `names` stay plain fields, because the rules of their union treat empty values as unset.",
    );
    assert!(text.contains(&format!("{rule:?}")), "{text}");
    assert!(!text.contains("#[union("), "{text}");
}

/// Returns the code that is generated for a spec with one field, `a`.
fn module(schema: &Value) -> String {
    text(&crd(&json!({ "a": schema })))
}

#[test]
fn lines_that_generators_left_are_paragraphs() {
    let text = module(&json!({"type": "string", "description": "One. \n Two.\n\n\nThree."}));
    assert_lines(&text, "/// One.\n///\n/// Two.\n///\n/// Three.");
}

#[test]
fn numbers_with_a_list_are_enums() {
    let text = module(&json!({"type": "integer", "format": "int32", "enum": [301, -1, 301]}));
    assert_lines(&text, "pub a: Option<ShopA>,");
    assert_lines(
        &text,
        "pub enum ShopA {\n/// `301`.\nValue301,\n/// `-1`.\nValueMinus1,\n/// A value that these types do not know.\nOther(i32),\n}",
    );
    assert_lines(&text, "pub const VALUES: &'static [i32] = &[301, -1];");
    // What is not an integer, or does not fit, stays a number.
    for (schema, ty) in [
        (json!({"type": "integer", "enum": [1, 1.5]}), "i64"),
        (
            json!({"type": "integer", "format": "int32", "enum": [5_000_000_000_i64]}),
            "i32",
        ),
        (json!({"type": "number", "enum": [1, 2]}), "f64"),
        (json!({"type": "boolean", "enum": [true]}), "bool"),
    ] {
        assert_eq!(field(&schema), format!("Option<{ty}>"));
    }
}

#[test]
fn what_holds_unions_is_descended_into() {
    let union = json!({
        "type": "object", "required": ["type", "name"],
        "properties": {
            "name": {"type": "string"}, "type": {"type": "string", "enum": ["A", "B"]},
            "a": {"type": "string"}, "b": {"type": "string"},
        },
        "x-kubernetes-validations": [
            {"rule": "self.type == 'A' ? has(self.a) : !has(self.a)"},
            {"rule": "self.type == 'B' ? has(self.b) : !has(self.b)"},
        ],
    });
    let of = |keys: Value| {
        module(&json!({
            "type": "array", "items": union,
            "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": keys,
        }))
    };
    let text = of(json!(["name"]));
    assert_lines(&text, "#[union(nested, list_map_keys(\"name\"))]");
    assert_lines(&text, "#[union(key)]\npub name: String,");
    assert_lines(&text, "#[kube(attr = \"union(nested(spec))\")]");
    // A key that is not a field: the elements are told apart by nothing.
    let text = of(json!(["other"]));
    assert_lines(&text, "#[union(nested)]");
    assert!(!text.contains("#[union(key)]"), "{text}");
}

#[test]
fn metadata_of_embedded_resources_is_metadata() {
    let text = module(&json!({
        "type": "object", "x-kubernetes-embedded-resource": true,
        "properties": {"metadata": {"type": "object"}, "spec": {"type": "object"}},
    }));
    assert!(text.contains("meta::v1::ObjectMeta"), "{text}");
    assert!(!text.contains("struct ShopAMetadata"), "{text}");
}
