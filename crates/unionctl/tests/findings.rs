//! Tests of the findings of `unionctl unions --list` in small schemas, and of the verdicts of a
//! server on the example objects.

#[path = "../../crd-unions/tests/findings/cases.rs"]
mod cases;

use serde_json::{Value, json};

use crate::process::run_with_stdin;

/// Returns the schema of an object with a discriminator, members and rules.
fn union_schema(values: &[&str], members: &[&str], rules: &[&str]) -> Value {
    let mut properties = json!({"type": {"type": "string"}});
    if !values.is_empty() {
        properties["type"]["enum"] = json!(values);
    }
    for member in members {
        properties[*member] = json!({"type": "object"});
    }
    let rules: Vec<Value> = rules.iter().map(|rule| json!({"rule": rule})).collect();
    json!({
        "type": "object",
        "required": ["type"],
        "properties": properties,
        "x-kubernetes-validations": rules,
    })
}

/// Makes the discriminator of a schema optional.
fn with_optional_discriminator(mut schema: Value) -> Value {
    schema["required"] = json!([]);
    schema
}

/// A finding, as the JSON output lists it.
#[derive(Debug, PartialEq)]
struct FindingSummary {
    code: String,
    confidence: String,
    example: Value,
    /// The verdict of a server on the example.
    verdict: Value,
}

/// Returns the findings in a schema.
fn listed_findings(schema: &Value) -> Vec<FindingSummary> {
    let line = json!({"schema": schema}).to_string();
    let reply = run_with_stdin(["unions", "--list", "--jsonl"], line).json();
    let findings = reply["findings"]
        .as_array()
        .unwrap_or_else(|| panic!("{reply}"));
    let to_string = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let summarize = |finding: &Value| FindingSummary {
        code: to_string(&finding["code"]),
        confidence: to_string(&finding["weight"]),
        example: finding["object"].clone(),
        verdict: finding["server"]["answer"].clone(),
    };
    findings.iter().map(summarize).collect()
}

#[track_caller]
fn assert_finding(schema: &Value, code: &str, confidence: &str, example: Value, verdict: Value) {
    let listed_findings = listed_findings(schema);
    let expected = FindingSummary {
        code: code.to_owned(),
        confidence: confidence.to_owned(),
        example,
        verdict,
    };
    assert!(
        listed_findings.contains(&expected),
        "{expected:?} in {listed_findings:#?}"
    );
}

const RULE_OF_A: &str = "self.type == 'A' ? has(self.a) : !has(self.a)";
const RULE_OF_B: &str = "self.type == 'B' ? has(self.b) : !has(self.b)";

#[test]
fn missing_rules_are_findings_with_accepted_examples() {
    let accepted = json!("accepted");
    assert_finding(
        &union_schema(
            &["A", "B"],
            &["a", "b"],
            &[RULE_OF_A, "self.type == 'B' ? has(self.b) : true"],
        ),
        "not-forbidden",
        "strong",
        json!({"type": "A", "a": {}, "b": {}}),
        accepted.clone(),
    );
    assert_finding(
        &union_schema(&["A", "B", "C"], &["a", "b", "c"], &[RULE_OF_A, RULE_OF_B]),
        "no-rule",
        "strong",
        json!({"type": "A", "a": {}, "c": {}}),
        accepted.clone(),
    );
    let rules_with_has = [
        "!has(self.type) || self.type == 'A' ? true : !has(self.a)",
        "!has(self.type) || self.type == 'B' ? true : !has(self.b)",
    ];
    assert_finding(
        &with_optional_discriminator(union_schema(&["A", "B"], &["a", "b"], &rules_with_has)),
        "free-when-absent",
        "weak",
        json!({"a": {}, "b": {}}),
        accepted,
    );
}

/// If a server rejects the example, the finding has the errors of the server.
#[test]
fn mistakes_are_findings_with_the_errors_of_the_server() {
    let schema = json!({
        "type": "object",
        "properties": {"a": {"type": "array", "items": {"type": "string"}}, "b": {"type": "string"}},
        "x-kubernetes-validations": [{"rule": "self.a.size() > 0 || has(self.b)"}],
    });
    assert_finding(
        &schema,
        "read-without-has",
        "weak",
        json!({}),
        json!("refused"),
    );
    let line = json!({"schema": schema}).to_string();
    let reply = run_with_stdin(["unions", "--list", "--jsonl"], line).json();
    let error = reply["findings"][0]["server"]["errors"][0]
        .as_str()
        .unwrap();
    assert!(error.contains("no such key: a"), "{error}");

    let schema_that_never_holds = union_schema(&["A"], &["a"], &["has(self.a) && !has(self.a)"]);
    let codes: Vec<String> = listed_findings(&schema_that_never_holds)
        .into_iter()
        .map(|finding| finding.code)
        .collect();
    assert!(codes.contains(&"never-holds".to_owned()), "{codes:?}");
}

/// The verdict on an example depends on the rules of enclosing schemas, too.
#[test]
fn rules_of_enclosing_schemas_affect_the_verdict() {
    let schema_with_rules = |rules: Value| {
        let source = json!({
            "type": "object",
            "required": ["type"],
            "properties": {"type": {"type": "string", "enum": ["A", "B"]}, "a": {"type": "object"}, "b": {"type": "object"}},
        });
        json!({
            "type": "object",
            "required": ["other"],
            "properties": {
                "other": {"type": "string"},
                "sources": {"type": "array", "items": source},
            },
            "x-kubernetes-validations": rules,
        })
    };
    let schema = schema_with_rules(
        json!([{"rule": "!has(self.sources) || self.sources.all(s, s.type == 'A' ? has(s.a) : !has(s.a))"}]),
    );
    let pointer = "/properties/sources/items";
    let line = json!({"schema": schema, "at": pointer}).to_string();
    let reply = run_with_stdin(["unions", "--list", "--jsonl"], line).json();
    assert_eq!(reply["unions"][0]["discriminator"], "type", "{reply}");
    let findings = reply["findings"].as_array().unwrap();
    let finding = findings.iter().find(|finding| finding["code"] == "no-rule");
    let finding = finding.unwrap_or_else(|| panic!("{reply}"));
    assert_eq!(finding["field"], "b");
    assert_eq!(finding["server"]["answer"], "accepted", "{finding}");
}

/// The tests of `crd-unions` check the same cases with the CEL evaluator.
#[test]
fn every_finding_code_is_listed_with_pointer_example_and_verdict() {
    let cases = cases::cases();
    let lines = cases.iter().map(|case| json!({"schema": case.schema}));
    let lines: Vec<String> = lines.map(|line| line.to_string()).collect();
    let output = run_with_stdin(["unions", "--list", "--jsonl"], lines.join("\n"));
    assert_eq!(output.code, 0, "{output:?}");
    let replies: Vec<Value> = output
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(replies.len(), cases.len());
    let mut failures = Vec::new();
    for (case, reply) in cases.iter().zip(&replies) {
        let findings = reply["findings"].as_array().unwrap();
        let finding = findings
            .iter()
            .find(|finding| finding["code"] == case.code.as_str());
        let finding = finding.unwrap_or_else(|| panic!("{}: {reply}", case.code.as_str()));
        let has_example = case.object.is_some() || !finding["updates"].is_null();
        let verdict = match (has_example, case.accepted) {
            (false, _) => Value::Null,
            (true, true) => "accepted".into(),
            (true, false) => "refused".into(),
        };
        let field = finding.get("field").into_iter().cloned().collect();
        let fields = finding.get("fields").cloned().unwrap_or(field);
        let expected = json!({
            "code": case.code.as_str(),
            "weight": case.confidence.as_str(),
            "fields": case.fields,
            "value": case.value,
            "object": case.object,
            "server": verdict,
            "pointer": case.pointer,
            "remedy": case.remedy,
        });
        let actual = json!({
            "code": finding["code"],
            "weight": finding["weight"],
            "fields": fields,
            "value": finding["value"],
            "object": finding["object"],
            "server": finding["server"]["answer"],
            "pointer": finding["pointer"],
            "remedy": finding["remedy"],
        });
        if expected != actual {
            failures.push(format!("wanted {expected}\ngot    {actual}"));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert_eq!(cases.len(), crd_unions::FindingCode::ALL.len());
}
