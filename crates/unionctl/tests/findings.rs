//! `unionctl unions --list`: each finding, by the smallest schema that has it, with what the server says to its object.

use serde_json::{Value, json};

use crate::process::{Ran, file, run, run_with};

/// An object with a discriminator, members and rules.
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

/// The same without a required discriminator.
fn optional(mut object: Value) -> Value {
    object["required"] = json!([]);
    object
}

fn with_message(mut object: Value, rule: usize, message: &str) -> Value {
    object["x-kubernetes-validations"][rule]["message"] = message.into();
    object
}

/// What is found, as code, weight, object and the server's answer.
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
        "strong",
        json!({"a": {}, "b": {}}),
        accepted,
    );
}
