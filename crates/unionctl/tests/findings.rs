//! Tests of the findings of `unionctl unions --list`: the schemas are small, and the result of a
//! server for each example object is checked.

#[path = "../../crd-unions/tests/findings/cases.rs"]
mod cases;

use serde_json::{Value, json};

use crate::process::run_with;

/// Returns the schema of an object with a discriminator, members and rules.
fn object(values: &[&str], members: &[&str], rules: &[&str]) -> Value {
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

/// Removes the requirement of the discriminator.
fn optional(mut object: Value) -> Value {
    object["required"] = json!([]);
    object
}

/// Returns the findings: code, confidence, example object, and the result of a server.
fn listed_findings(schema: &Value) -> Vec<(String, String, Value, Value)> {
    let line = json!({"schema": schema}).to_string();
    let reply = run_with(["unions", "--list", "--jsonl"], line).json();
    let findings = reply["findings"]
        .as_array()
        .unwrap_or_else(|| panic!("{reply}"));
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let to_tuple = |finding: &Value| {
        (
            text(&finding["code"]),
            text(&finding["weight"]),
            finding["object"].clone(),
            finding["server"]["answer"].clone(),
        )
    };
    findings.iter().map(to_tuple).collect()
}

#[track_caller]
fn assert_finding(schema: &Value, code: &str, weight: &str, object: Value, reply: Value) {
    let listed_findings = listed_findings(schema);
    let expected = (code.to_owned(), weight.to_owned(), object, reply);
    assert!(
        listed_findings.contains(&expected),
        "{expected:?} in {listed_findings:#?}"
    );
}

const A: &str = "self.type == 'A' ? has(self.a) : !has(self.a)";
const B: &str = "self.type == 'B' ? has(self.b) : !has(self.b)";

#[test]
fn missing_rules_are_found() {
    let accepted = json!("accepted");
    assert_finding(
        &object(
            &["A", "B"],
            &["a", "b"],
            &[A, "self.type == 'B' ? has(self.b) : true"],
        ),
        "not-forbidden",
        "strong",
        json!({"type": "A", "a": {}, "b": {}}),
        accepted.clone(),
    );
    assert_finding(
        &object(&["A", "B", "C"], &["a", "b", "c"], &[A, B]),
        "no-rule",
        "strong",
        json!({"type": "A", "a": {}, "c": {}}),
        accepted.clone(),
    );
    let guarded = [
        "!has(self.type) || self.type == 'A' ? true : !has(self.a)",
        "!has(self.type) || self.type == 'B' ? true : !has(self.b)",
    ];
    assert_finding(
        &optional(object(&["A", "B"], &["a", "b"], &guarded)),
        "free-when-absent",
        "weak",
        json!({"a": {}, "b": {}}),
        accepted,
    );
}

/// If every server rejects the example object, the finding has the errors of the server.
#[test]
fn mistakes_are_found_with_the_error_of_the_server() {
    let reads = json!({
        "type": "object",
        "properties": {"a": {"type": "array", "items": {"type": "string"}}, "b": {"type": "string"}},
        "x-kubernetes-validations": [{"rule": "self.a.size() > 0 || has(self.b)"}],
    });
    assert_finding(
        &reads,
        "read-without-has",
        "weak",
        json!({}),
        json!("refused"),
    );
    let line = json!({"schema": reads}).to_string();
    let reply = run_with(["unions", "--list", "--jsonl"], line).json();
    let error = reply["findings"][0]["server"]["errors"][0]
        .as_str()
        .unwrap();
    assert!(error.contains("no such key: a"), "{error}");

    let never = object(&["A"], &["a"], &["has(self.a) && !has(self.a)"]);
    let codes: Vec<String> = listed_findings(&never)
        .into_iter()
        .map(|(code, ..)| code)
        .collect();
    assert!(codes.contains(&"never-holds".to_owned()), "{codes:?}");
}

/// The result of a server includes a rule that is written above the object.
#[test]
fn rules_above_the_object_affect_the_result() {
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
    let at = "/properties/sources/items";
    let line = json!({"schema": schema, "at": at}).to_string();
    let reply = run_with(["unions", "--list", "--jsonl"], line).json();
    assert_eq!(reply["unions"][0]["discriminator"], "type", "{reply}");
    let findings = reply["findings"].as_array().unwrap();
    let hole = findings.iter().find(|finding| finding["code"] == "no-rule");
    let hole = hole.unwrap_or_else(|| panic!("{reply}"));
    assert_eq!(hole["field"], "b");
    assert_eq!(hole["server"]["answer"], "accepted", "{hole}");
}

/// The tests of `crd-unions` check the same cases with the CEL evaluator.
#[test]
fn every_code_has_its_pointer_its_object_and_the_result_of_a_server() {
    let cases = cases::cases();
    let lines = cases.iter().map(|case| json!({"schema": case.schema}));
    let lines: Vec<String> = lines.map(|line| line.to_string()).collect();
    let output = run_with(["unions", "--list", "--jsonl"], lines.join("\n"));
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
        let found = finding.unwrap_or_else(|| panic!("{}: {reply}", case.code.as_str()));
        let server = case.object.as_ref().map_or(Value::Null, |_| {
            let server = if case.accepted { "accepted" } else { "refused" };
            server.into()
        });
        let field = found.get("field").into_iter().cloned().collect();
        let fields = found.get("fields").cloned().unwrap_or(field);
        let expected = json!({
            "code": case.code.as_str(),
            "weight": case.confidence.as_str(),
            "fields": case.fields,
            "value": case.value,
            "object": case.object,
            "server": server,
            "pointer": case.pointer,
            "remedy": case.remedy,
        });
        let actual = json!({
            "code": found["code"],
            "weight": found["weight"],
            "fields": fields,
            "value": found["value"],
            "object": found["object"],
            "server": found["server"]["answer"],
            "pointer": found["pointer"],
            "remedy": found["remedy"],
        });
        if expected != actual {
            failures.push(format!("wanted {expected}\ngot    {actual}"));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert_eq!(cases.len(), crd_unions::FindingCode::ALL.len());
}
