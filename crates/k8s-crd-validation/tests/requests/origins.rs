//! The keywords that report errors.

use k8s_crd_validation::{
    ErrorOrigin, RULES_NOT_CHECKED, Request, ServerSettings, StructuralSchema, is_rules_not_checked,
};
use serde_json::{Value, json};
use union_runtime::path::FieldPath;
use union_runtime::{BadValue, Violation, ViolationKind};

/// Returns the origins of each error of the creation of an object.
fn origins(schema: &Value, object: &Value) -> Vec<(String, Vec<ErrorOrigin>)> {
    let schema = StructuralSchema::compiler().schema(schema).unwrap();
    let settings = ServerSettings::default();
    let mut request = Request::new(&schema, &settings).with_origins();
    let report = request.create(&mut object.clone());
    let errors = report.errors().iter();
    errors
        .map(|error| (error.to_string(), request.origins(error).to_vec()))
        .collect()
}

/// Each row has a schema of `f`, an invalid value, and the keywords that report its errors.
#[test]
#[expect(clippy::too_many_lines, reason = "a table")]
fn each_keyword_reports_its_own_errors() {
    let rows = [
        (json!({"type": "string"}), json!(1), vec!["type"]),
        (
            json!({"type": "string", "format": "ipv4"}),
            json!(1),
            vec!["format"],
        ),
        (
            json!({"type": "integer", "format": "int32"}),
            json!("a"),
            vec!["type"],
        ),
        (
            json!({"type": "string", "maxLength": 1}),
            json!("aa"),
            vec!["maxLength"],
        ),
        (
            json!({"type": "string", "minLength": 3}),
            json!("aa"),
            vec!["minLength"],
        ),
        (
            json!({"type": "string", "pattern": "should be at most"}),
            json!("aa"),
            vec!["pattern"],
        ),
        (
            json!({"type": "string", "format": "ipv4"}),
            json!("aa"),
            vec!["format"],
        ),
        (
            json!({"type": "string", "enum": ["a"]}),
            json!("aa"),
            vec!["enum"],
        ),
        (
            json!({"type": "integer", "maximum": 1}),
            json!(2),
            vec!["maximum"],
        ),
        (
            json!({"type": "integer", "minimum": 3}),
            json!(2),
            vec!["minimum"],
        ),
        (
            json!({"type": "integer", "multipleOf": 3}),
            json!(2),
            vec!["multipleOf"],
        ),
        (
            json!({"type": "integer", "format": "int32"}),
            json!(3_000_000_000_i64),
            vec!["format"],
        ),
        (
            json!({"x-kubernetes-int-or-string": true}),
            json!(true),
            vec!["x-kubernetes-int-or-string"],
        ),
        (
            json!({"type": "array", "items": {"type": "string"}, "maxItems": 1}),
            json!(["a", "b"]),
            vec!["maxItems"],
        ),
        (
            json!({"type": "array", "items": {"type": "string"}, "minItems": 1}),
            json!([]),
            vec!["minItems"],
        ),
        (
            json!({
                "type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "set",
            }),
            json!(["a", "a"]),
            vec!["x-kubernetes-list-type"],
        ),
        (
            json!({
                "type": "object", "additionalProperties": {"type": "string"}, "maxProperties": 0,
            }),
            json!({"a": "a"}),
            vec!["maxProperties"],
        ),
        (
            json!({
                "type": "object", "additionalProperties": {"type": "string"}, "minProperties": 1,
            }),
            json!({}),
            vec!["minProperties"],
        ),
        (
            json!({"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}),
            json!({}),
            vec!["required"],
        ),
        (
            json!({"type": "integer", "not": {"enum": [2]}}),
            json!(2),
            vec!["not"],
        ),
        (
            json!({"type": "integer", "anyOf": [{"minimum": 3}]}),
            json!(2),
            vec!["minimum", "anyOf"],
        ),
        (
            json!({"type": "integer", "oneOf": [{"minimum": 1}, {"minimum": 2}]}),
            json!(2),
            vec!["oneOf"],
        ),
        (
            json!({"type": "integer", "allOf": [{"minimum": 3}]}),
            json!(2),
            vec!["minimum", "allOf"],
        ),
        (
            json!({
                "type": "object", "x-kubernetes-embedded-resource": true,
                "x-kubernetes-preserve-unknown-fields": true,
            }),
            json!({"apiVersion": "v1", "metadata": {"name": "a"}}),
            vec!["x-kubernetes-embedded-resource"],
        ),
    ];
    for (field, value, expected) in rows {
        let schema = json!({"type": "object", "properties": {"f": field}});
        let found = origins(&schema, &json!({"f": value}));
        let keywords: Vec<&str> = found
            .iter()
            .flat_map(|(_, origins)| origins.iter().map(|origin| origin.keyword))
            .collect();
        assert_eq!(keywords, expected, "{field}: {found:?}");
        for (error, origins) in &found {
            assert_eq!(origins.len(), 1, "{error}");
            let is_branch = expected.len() == 2 && origins[0].keyword == expected[0];
            assert_eq!(origins[0].is_in_combinator, is_branch, "{error}");
        }
    }
}

/// A rule is told by its index, whatever its message, its reason and its path are.
#[test]
fn a_rule_is_told_by_its_index_and_its_place() {
    let schema = json!({"type": "object", "properties": {"spec": {
        "type": "object",
        "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}},
        "x-kubernetes-validations": [
            {"rule": "self.a < 3"},
            {"rule": "self.a < 2", "message": "is too long", "reason": "FieldValueDuplicate"},
            {"rule": "self.a < 1", "message": "b", "fieldPath": ".b", "reason": "FieldValueRequired"},
            {"rule": "self.a < 9", "message": "never"},
            {"rule": "self.a < 0", "messageExpression": "'in body should be at most 1'"},
        ],
    }}});
    let found = origins(&schema, &json!({"spec": {"a": 5}}));
    let places: Vec<_> = found
        .iter()
        .map(|(_, origins)| {
            let [origin] = &**origins else {
                panic!("{found:?}")
            };
            (origin.keyword, origin.rule_index, origin.steps_below)
        })
        .collect();
    let rule = "x-kubernetes-validations";
    let expected = [(0, 0), (1, 0), (2, 1), (4, 0)];
    assert_eq!(
        places,
        expected.map(|(index, steps)| (rule, Some(index), steps)),
        "{found:?}"
    );
}

/// Errors with the same message have the origins of all of them.
#[test]
fn errors_with_the_same_message_have_several_origins() {
    let rule = json!({"rule": "self > 9", "message": "the number is small"});
    let schema = json!({"type": "object", "properties": {"f": {
        "type": "integer", "x-kubernetes-validations": [rule, rule],
    }}});
    for (error, origins) in origins(&schema, &json!({"f": 1})) {
        let indexes: Vec<_> = origins.iter().map(|origin| origin.rule_index).collect();
        assert_eq!(indexes, [Some(0), Some(1)], "{error}");
    }
}

/// Only the error that a server itself adds states that rules were not checked.
#[test]
fn the_error_about_unchecked_rules_is_recognized_by_all_its_parts() {
    let kind = ViolationKind::Invalid;
    let null = || BadValue::Formatted("null".to_owned());
    let error = |kind, path: FieldPath, value, detail: &str| {
        is_rules_not_checked(&Violation::from_parts(kind, path, value, detail.to_owned()))
    };
    let root = FieldPath::root;
    assert!(error(kind, root(), null(), RULES_NOT_CHECKED));
    assert!(!error(
        ViolationKind::Forbidden,
        root(),
        null(),
        RULES_NOT_CHECKED
    ));
    assert!(!error(
        kind,
        FieldPath::from(["spec"]),
        null(),
        RULES_NOT_CHECKED
    ));
    assert!(!error(kind, root(), BadValue::Omitted, RULES_NOT_CHECKED));
    assert!(!error(
        kind,
        root(),
        null(),
        "some validation rules were not checked"
    ));
}
