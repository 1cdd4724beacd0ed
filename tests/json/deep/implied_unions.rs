//! Tests of deep schemas and rules from which unions are read.

use serde_json::{Value, json};

use crate::deep::{LEVELS, field};
use crate::deep_value::{self, Deep};

const KEYWORDS: [&str; 8] = [
    "properties",
    "items",
    "additionalProperties",
    "oneOf",
    "anyOf",
    "allOf",
    "not",
    "default",
];

/// Returns schemas that are nested `levels` times below a keyword.
fn nested(keyword: &'static str, levels: usize) -> Deep {
    let inner = json!({"required": ["a"], "properties": {"a": {}}});
    Deep::new(levels, inner, |inner| {
        let inner = match keyword {
            "properties" => deep_value::object([("a", inner)]),
            "oneOf" | "anyOf" | "allOf" => deep_value::list([inner]),
            _ => inner,
        };
        field(keyword)(inner)
    })
}

#[test]
fn schemas_with_too_many_levels_are_not_read() {
    for keyword in KEYWORDS {
        let schema = nested(keyword, LEVELS);
        let error = crd_unions::analyze_at(&schema, "").unwrap_err();
        assert_eq!(
            error.to_string(),
            "the schema has more than 400 levels, which is not supported"
        );
        assert_eq!(crd_unions::analyze_schema(&schema), []);
        assert_eq!(crd_unions::analyze_lists(&schema), []);
        let crd = schema.within(|schema| {
            let version =
                |schema| deep_value::object([("schema", field("openAPIV3Schema")(schema))]);
            field("spec")(field("versions")(deep_value::list([version(schema)])))
        });
        let versions = crd_unions::analyze_crd(&crd).unwrap();
        assert!(versions.iter().all(|version| version.objects.is_empty()));
    }
}

#[test]
fn schemas_at_the_level_limit_are_read() {
    for keyword in KEYWORDS {
        let levels = match keyword {
            "properties" | "oneOf" | "anyOf" | "allOf" => 198,
            _ => 396,
        };
        let schema = nested(keyword, levels);
        assert!(crd_unions::analyze_at(&schema, "").is_ok(), "{keyword}");
        // A part that is too deep is not understood, but does not prevent reading the rest.
        let schema_with_deep_part = nested(keyword, levels - 4).within(|inner| {
            deep_value::object([
                ("properties", json!({"a": {}, "b": {}})),
                ("not", json!({"required": ["a", "b"]})),
                ("allOf", deep_value::list([inner])),
            ])
        });
        let analysis = crd_unions::analyze_at(&schema_with_deep_part, "").unwrap();
        assert!(analysis.unions.len() < 2, "{keyword}");
        assert!(keyword != "default" || analysis.unions.len() == 1);
    }
}

#[test]
fn rules_of_many_brackets_are_read() {
    let long = |open: &str, close: &str, levels: usize| {
        format!("{}has(self.a){}", open.repeat(levels), close.repeat(levels))
    };
    let rules = [
        long("(", ")", 60),
        long("!", "", 10_000),
        long("[", "].size() == 1", 60),
        format!("has(self.a){}", " || has(self.b)".repeat(5_000)),
        format!("has(self.a){}", " ? has(self.b) : has(self.a)".repeat(50)),
        long("[1].all(x, ", ")", 60),
    ];
    for rule in rules {
        let schema: Value = json!({
            "properties": {"a": {}, "b": {}},
            "x-kubernetes-validations": [{"rule": rule}],
        });
        let analysis = crd_unions::analyze_object(&schema);
        assert_eq!(analysis.unions, []);
        let rule_of_items = rule.replace("has(self.a)", "self.exists(x, x == 'A')");
        let rule_of_items = rule_of_items.replace("has(self.b)", "false");
        let list = json!({
            "items": {"type": "string"},
            "x-kubernetes-validations": [{"rule": rule_of_items}],
        });
        assert!(crd_unions::analyze_lists(&list).len() < 2);
    }
}
