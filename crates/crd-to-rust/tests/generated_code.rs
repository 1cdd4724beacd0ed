//! Tests of the code that is generated for each keyword of a schema.

use serde_json::{Value, json};

use crate::{assert_contains_lines, crd_with_properties, crd_with_spec, field_type, generate_code};

#[test]
fn types_and_formats_become_rust_types() {
    let type_of_format = |format: &str| field_type(&json!({"type": "string", "format": format}));
    assert!(
        type_of_format("date-time").ends_with("meta::v1::Time>"),
        "{}",
        type_of_format("date-time")
    );
    assert_eq!(type_of_format("byte"), "Option<::k8s_openapi::ByteString>");
    assert_eq!(type_of_format("ipv4"), "Option<String>");
    assert_eq!(
        field_type(&json!({"type": "integer", "format": "int32"})),
        "Option<i32>"
    );
    assert_eq!(field_type(&json!({"type": "integer"})), "Option<i64>");
    assert_eq!(field_type(&json!({"type": "number"})), "Option<f64>");
    let int_or_string = json!({"x-kubernetes-int-or-string": true, "anyOf": [{"type": "integer"}, {"type": "string"}]});
    assert!(field_type(&int_or_string).ends_with("intstr::IntOrString>"));
    let mut quantity = int_or_string;
    quantity["pattern"] = "^([0-9]+)(([KMGTPE]i)|[numkMGTPE]|([eE][0-9]+))?$".into();
    assert!(field_type(&quantity).ends_with("resource::Quantity>"));
    let map = json!({"type": "object", "additionalProperties": {"type": "boolean"}});
    assert_eq!(
        field_type(&map),
        "Option<::std::collections::BTreeMap<String,bool>>"
    );
    assert_eq!(
        field_type(&json!({"x-kubernetes-preserve-unknown-fields": true})),
        "Option<::serde_json::Value>"
    );
    assert_eq!(field_type(&json!({"type": "object"})), "Option<ShopX>");
}

#[test]
fn fields_are_options_unless_required_and_without_a_default() {
    let code = generate_code(&crd_with_spec(
        &json!({"type": "object", "required": ["a", "b", "c"], "properties": {
            "a": {"type": "string"},
            "b": {"type": "string", "nullable": true},
            "c": {"type": "string", "default": "d"},
        }}),
    ));
    assert_contains_lines(&code, "pub a: String,");
    assert_contains_lines(
        &code,
        "#[schemars(with = \"String\", extend(\"nullable\" = true))]\npub b: Option<String>,",
    );
    assert_contains_lines(
        &code,
        "#[serde(default, skip_serializing_if = \"Option::is_none\")]\n#[schemars(with = \"String\", extend(\"default\" = \"d\"))]\npub c: Option<String>,",
    );
}

#[test]
fn cel_rules_become_attributes_of_kube() {
    let code = generate_code(&crd_with_spec(&json!({"type": "object",
        "properties": {"a": {"type": "string", "x-kubernetes-validations": [{"rule": "self != ''"}]}},
        "x-kubernetes-validations": [
            {"rule": "has(self.a)", "message": "a"},
            {"rule": "self.a == oldSelf.a", "reason": "FieldValueForbidden", "fieldPath": ".a", "messageExpression": "'no'"},
        ],
    })));
    assert_contains_lines(&code, "#[x_kube(validation = (\"has(self.a)\", \"a\"))]");
    assert!(
        code.contains(".reason(Reason::FieldValueForbidden)"),
        "{code}"
    );
    assert!(
        code.contains("Message::Expression(\"'no'\".into())"),
        "{code}"
    );
    assert_contains_lines(&code, "#[x_kube(validation = \"self != ''\")]");
}

#[test]
fn descriptions_become_doc_comments_without_doctests_and_links() {
    let code = generate_code(&crd_with_properties(
        &json!({"x": {"type": "string", "description":
            "See [this] and <that>, `[code]` at https://a.b/c.\n\n    fn indented() {}\n\n```\nfenced\n```\n```rust\nfenced too\r\n```\n```\nopen"
        }}),
    ));
    assert_contains_lines(
        &code,
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
    let mut crd = crd_with_spec(&json!({"type": "object"}));
    let schema = &mut crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"];
    *schema = json!({"type": "object", "properties": {
        "apiVersion": {"type": "string"}, "kind": {"type": "string"}, "metadata": {"type": "object"},
        "data": {"type": "string"}, "status": {"type": "object", "properties": {"ready": {"type": "boolean"}}},
    }});
    let code = generate_code(&crd);
    assert_contains_lines(&code, "#[kube(no_spec)]\n#[kube(status = \"ShopStatus\")]");
    assert_contains_lines(&code, "pub struct ShopFields {");
    assert!(!code.contains("pub metadata"), "{code}");
}

/// Returns the generated code for a spec with one field, `u`, which is an object with these
/// properties and CEL rules.
fn code_of_union(properties: &Value, rules: &Value) -> String {
    generate_code(&crd_with_properties(&json!({"u": {
        "type": "object", "required": ["type"], "properties": properties, "x-kubernetes-validations": rules,
    }})))
}

#[test]
fn an_exact_union_without_other_fields_is_an_enum() {
    let object = json!({"type": "object", "properties": {"x": {"type": "string"}}});
    let rules = json!([
        {"rule": "self.type == 'A' ? has(self.a) : !has(self.a)"},
        {"rule": "self.type == 'B' || !has(self.b)"},
    ]);
    let values = json!({"type": "string", "enum": ["A", "B", "None"]});
    let code = code_of_union(&json!({"type": values, "a": object, "b": object}), &rules);
    assert_contains_lines(
        &code,
        "#[derive(::union_runtime::UnionEnum, Clone, Debug, PartialEq)]\n#[union(discriminator = \"type\")]\npub enum ShopU {",
    );
    assert_contains_lines(&code, "#[union(member = \"A\", field = \"a\")]\nA(ShopUA),");
    assert_contains_lines(
        &code,
        "#[union(member = \"B\", field = \"b\")]\nB(Option<ShopUA>),",
    );
    assert!(!code.contains("x_kube"), "{code}");

    // A union with another field, or with a member that has its own limits, becomes a struct.
    let with_another_field = code_of_union(
        &json!({"type": values, "a": object, "b": object, "c": {"type": "string"}}),
        &rules,
    );
    assert_contains_lines(&with_another_field, "#[union(member = \"B\", optional)]");
    let with_bounded_member = code_of_union(
        &json!({"type": values, "a": {"type": "string", "minLength": 1}, "b": object}),
        &rules,
    );
    assert_contains_lines(&with_bounded_member, "#[union(member = \"A\")]");
}

#[test]
fn a_missing_rule_is_a_comment_with_its_remedy() {
    let object = json!({"type": "object", "properties": {"x": {"type": "string"}}});
    let code = code_of_union(
        &json!({"type": {"type": "string", "enum": ["A", "B"]}, "a": object, "b": object}),
        &json!([
            {"rule": "self.type == 'A' ? has(self.a) : !has(self.a)"},
            {"rule": "self.type == 'B' ? has(self.b) : true"},
        ]),
    );
    assert!(code.contains("// A missing rule, not-forbidden:"), "{code}");
    assert!(
        code.contains("Remedy: self.type == 'B' ? has(self.b) : !has(self.b)"),
        "{code}"
    );
    // The incomplete rule stays.
    assert_contains_lines(
        &code,
        "#[x_kube(validation = \"self.type == 'B' ? has(self.b) : true\")]",
    );
    assert!(!code.contains("has(self.a) : !has(self.a)\""), "{code}");
}

#[test]
fn fields_of_a_union_that_treats_empty_values_as_unset_stay_plain() {
    let rule = "!(has(self.names) && self.names.size() > 0 && has(self.all))";
    let code = code_of_field(&json!({
        "type": "object",
        "properties": {"names": {"type": "array", "items": {"type": "string"}}, "all": {"type": "boolean"}},
        "x-kubernetes-validations": [{"rule": rule, "message": "names or all"}],
    }));
    assert_contains_lines(
        &code,
        "// `all`, `names` stay plain fields, because the rules of their union treat empty values as unset.",
    );
    assert!(code.contains(&format!("{rule:?}")), "{code}");
    assert!(!code.contains("#[union("), "{code}");
}

/// Returns the generated code for a spec with one field, `a`.
fn code_of_field(schema: &Value) -> String {
    generate_code(&crd_with_properties(&json!({ "a": schema })))
}

#[test]
fn joined_empty_lines_of_a_description_become_paragraphs() {
    let code = code_of_field(&json!({"type": "string", "description": "One. \n Two.\n\n\nThree."}));
    assert_contains_lines(&code, "/// One.\n///\n/// Two.\n///\n/// Three.");
}

#[test]
fn an_integer_enum_becomes_an_enum_with_a_variant_for_other_values() {
    let code =
        code_of_field(&json!({"type": "integer", "format": "int32", "enum": [301, -1, 301]}));
    assert_contains_lines(&code, "pub a: Option<ShopA>,");
    assert_contains_lines(
        &code,
        "pub enum ShopA {\n/// `301`.\nValue301,\n/// `-1`.\nValueMinus1,\n/// A value that these types do not know.\nOther(i32),\n}",
    );
    assert_contains_lines(&code, "pub const VALUES: &'static [i32] = &[301, -1];");
    // A list of other values than integers in the range of the type does not make an enum.
    for (schema, ty) in [
        (json!({"type": "integer", "enum": [1, 1.5]}), "i64"),
        (
            json!({"type": "integer", "format": "int32", "enum": [5_000_000_000_i64]}),
            "i32",
        ),
        (json!({"type": "number", "enum": [1, 2]}), "f64"),
        (json!({"type": "boolean", "enum": [true]}), "bool"),
    ] {
        assert_eq!(field_type(&schema), format!("Option<{ty}>"));
    }
}

#[test]
fn types_around_unions_have_the_nested_attribute() {
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
    let code_with_keys = |keys: Value| {
        code_of_field(&json!({
            "type": "array", "items": union,
            "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": keys,
        }))
    };
    let code = code_with_keys(json!(["name"]));
    assert_contains_lines(&code, "#[union(nested, list_map_keys(\"name\"))]");
    assert_contains_lines(&code, "#[union(key)]\npub name: String,");
    assert_contains_lines(&code, "#[kube(attr = \"union(nested(spec))\")]");
    // The key is not a field, so no field of the elements gets the attribute `key`.
    let code = code_with_keys(json!(["other"]));
    assert_contains_lines(&code, "#[union(nested)]");
    assert!(!code.contains("#[union(key)]"), "{code}");
}

#[test]
fn metadata_of_embedded_resources_is_object_meta() {
    let code = code_of_field(&json!({
        "type": "object", "x-kubernetes-embedded-resource": true,
        "properties": {"metadata": {"type": "object"}, "spec": {"type": "object"}},
    }));
    assert!(code.contains("meta::v1::ObjectMeta"), "{code}");
    assert!(!code.contains("struct ShopAMetadata"), "{code}");
}
