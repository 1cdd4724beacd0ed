//! Tests of the findings of `unionctl unions --list`: each has a small schema, and the server's
//! answer to the object of the finding.

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

/// Returns the schema without a required discriminator.
fn optional(mut object: Value) -> Value {
    object["required"] = json!([]);
    object
}

/// Returns the findings: code, weight, object, and the server's answer.
fn found(schema: &Value) -> Vec<(String, String, Value, Value)> {
    let line = json!({"schema": schema}).to_string();
    let answer = run_with(["unions", "--list", "--jsonl"], line).json();
    let findings = answer["findings"]
        .as_array()
        .unwrap_or_else(|| panic!("{answer}"));
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let of = |finding: &Value| {
        (
            text(&finding["code"]),
            text(&finding["weight"]),
            finding["object"].clone(),
            finding["server"]["answer"].clone(),
        )
    };
    findings.iter().map(of).collect()
}

#[track_caller]
fn finds(schema: &Value, code: &str, weight: &str, object: Value, answer: Value) {
    let found = found(schema);
    let wanted = (code.to_owned(), weight.to_owned(), object, answer);
    assert!(found.contains(&wanted), "{wanted:?} in {found:#?}");
}

const A: &str = "self.type == 'A' ? has(self.a) : !has(self.a)";
const B: &str = "self.type == 'B' ? has(self.b) : !has(self.b)";

#[test]
fn holes() {
    let accepted = json!("accepted");
    finds(
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
    finds(
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
    finds(
        &optional(object(&["A", "B"], &["a", "b"], &guarded)),
        "free-when-absent",
        "weak",
        json!({"a": {}, "b": {}}),
        accepted,
    );
}

/// Findings about objects that every server rejects have the errors of the server.
#[test]
fn mistakes() {
    let reads = json!({
        "type": "object",
        "properties": {"a": {"type": "array", "items": {"type": "string"}}, "b": {"type": "string"}},
        "x-kubernetes-validations": [{"rule": "self.a.size() > 0 || has(self.b)"}],
    });
    finds(
        &reads,
        "read-without-has",
        "weak",
        json!({}),
        json!("refused"),
    );
    let line = json!({"schema": reads}).to_string();
    let answer = run_with(["unions", "--list", "--jsonl"], line).json();
    let error = answer["findings"][0]["server"]["errors"][0]
        .as_str()
        .unwrap();
    assert!(error.contains("no such key: a"), "{error}");

    let never = object(&["A"], &["a"], &["has(self.a) && !has(self.a)"]);
    let codes: Vec<String> = found(&never).into_iter().map(|(code, ..)| code).collect();
    assert!(codes.contains(&"never-holds".to_owned()), "{codes:?}");
}

/// A rule above the object counts in the server's answer, too.
#[test]
fn rules_that_moved_are_judged_where_they_stand() {
    let of = |rules: Value| {
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
    let schema = of(
        json!([{"rule": "!has(self.sources) || self.sources.all(s, s.type == 'A' ? has(s.a) : !has(s.a))"}]),
    );
    let at = "/properties/sources/items";
    let line = json!({"schema": schema, "at": at}).to_string();
    let answer = run_with(["unions", "--list", "--jsonl"], line).json();
    assert_eq!(answer["unions"][0]["discriminator"], "type", "{answer}");
    let findings = answer["findings"].as_array().unwrap();
    let hole = findings.iter().find(|finding| finding["code"] == "no-rule");
    let hole = hole.unwrap_or_else(|| panic!("{answer}"));
    assert_eq!(hole["field"], "b");
    assert_eq!(hole["server"]["answer"], "accepted", "{hole}");
}

/// The cases are the same as in the tests of `crd-unions`, which compare them with the evaluator.
#[test]
fn every_code_has_its_place_its_object_and_the_servers_answer() {
    let cases = cases::cases();
    let lines = cases.iter().map(|case| json!({"schema": case.schema}));
    let lines: Vec<String> = lines.map(|line| line.to_string()).collect();
    let ran = run_with(["unions", "--list", "--jsonl"], lines.join("\n"));
    assert_eq!(ran.code, 0, "{ran:?}");
    let answers: Vec<Value> = ran
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(answers.len(), cases.len());
    let mut wrong = Vec::new();
    for (case, answer) in cases.iter().zip(&answers) {
        let findings = answer["findings"].as_array().unwrap();
        let of_code = findings
            .iter()
            .find(|finding| finding["code"] == case.code.as_str());
        let found = of_code.unwrap_or_else(|| panic!("{}: {answer}", case.code.as_str()));
        let says = case.object.as_ref().map_or(Value::Null, |_| {
            let says = if case.accepted { "accepted" } else { "refused" };
            says.into()
        });
        let field = found.get("field").into_iter().cloned().collect();
        let fields = found.get("fields").cloned().unwrap_or(field);
        let wanted = json!({
            "code": case.code.as_str(),
            "weight": case.confidence.as_str(),
            "fields": case.fields,
            "value": case.value,
            "object": case.object,
            "server": says,
            "pointer": case.pointer,
            "remedy": case.remedy,
        });
        let got = json!({
            "code": found["code"],
            "weight": found["weight"],
            "fields": fields,
            "value": found["value"],
            "object": found["object"],
            "server": found["server"]["answer"],
            "pointer": found["pointer"],
            "remedy": found["remedy"],
        });
        if wanted != got {
            wrong.push(format!("wanted {wanted}\ngot    {got}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(cases.len(), crd_unions::FindingCode::ALL.len());
}
