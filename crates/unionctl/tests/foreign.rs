//! Tests of `unionctl unions` with a schema that does not declare unions in our form: objects are
//! judged by the unions of its rules, and a note names these unions.

use serde_json::{Value, json};

use crate::process::{ProgramOutput, file, run, run_with, sample};

const NOTE: &str = "no unions are declared; using unions that are inferred from the rules: ";

/// Runs an update with a schema without a CRD.
fn update(name: &str, schema: &Value, old: &Value, new: &Value) -> ProgramOutput {
    let schema = file(&format!("foreign_{name}_schema.json"), schema.to_string());
    let old = file(&format!("foreign_{name}_old.json"), old.to_string());
    let new = file(&format!("foreign_{name}_new.json"), new.to_string());
    run([
        "unions", "--schema", &schema, "--old", &old, "--new", &new, "-o", "json",
    ])
}

fn by_type(rules: &Value) -> Value {
    json!({
        "type": "object",
        "properties": {
            "type": {"type": "string", "enum": ["A", "B"]},
            "a": {"type": "object"},
            "b": {"type": "object"},
        },
        "x-kubernetes-validations": rules,
    })
}

fn rules() -> Value {
    json!([
        {"rule": "self.type == 'A' ? has(self.a) : !has(self.a)"},
        {"rule": "self.type == 'B' ? has(self.b) : !has(self.b)"},
    ])
}

#[test]
fn a_switch_is_normalized_and_it_is_said_from_where() {
    let crd = sample("pipeline_crd.yaml");
    let (old, new) = (
        sample("pipeline_stored.yaml"),
        sample("pipeline_switched.yaml"),
    );
    let mut args = vec!["unions", "--crd", &crd, "--old", &old, "--new", &new];
    let ran = run(&args);
    assert_eq!(ran.code, 0);
    assert_eq!(
        ran.stderr,
        format!(
            "note: {crd}: {NOTE}spec.notify (exactly one of `email`, `webhook`); spec.runner (by `type`); spec.source (by `type`)\n"
        )
    );
    assert!(
        ran.stdout
            .ends_with("changed:\n  spec.source.git: cleared\nno errors\naccepted\n"),
        "{}",
        ran.stdout
    );
    args.drain(3..5);
    let ran = run(&args);
    assert_eq!(ran.code, 1, "a create clears nothing");
}

/// An absent discriminator has its default: the stored `a` without a `type` is valid.
#[test]
fn a_default_is_there_before_it_is_judged() {
    let mut schema = by_type(&rules());
    schema["properties"]["type"]["default"] = json!("A");
    let old = json!({"a": {}});
    let ran = update("default", &schema, &old, &old);
    assert_eq!((ran.code, &ran.json()["errors"]), (0, &json!([])));
    let ran = update(
        "default_switched",
        &schema,
        &old,
        &json!({"type": "B", "a": {}, "b": {}}),
    );
    assert_eq!(
        ran.json()["changes"],
        json!([{"path": "a", "kind": "cleared"}])
    );
    let ran = update("default_wrong", &schema, &json!({}), &json!({"b": {}}));
    assert_eq!(ran.code, 1);
}

#[test]
fn exactly_one_and_any_text_are_judged_too() {
    let group = json!({
        "type": "object",
        "properties": {"a": {"type": "object"}, "b": {"type": "object"}},
        "oneOf": [{"required": ["a"]}, {"required": ["b"]}],
    });
    assert_eq!(
        update("one", &group, &json!({"a": {}}), &json!({"b": {}})).code,
        0
    );
    assert_eq!(
        update("none", &group, &json!({"a": {}}), &json!({})).code,
        1
    );
    let mut open = by_type(&rules());
    open["properties"]["type"] = json!({"type": "string"});
    open["required"] = json!(["type"]);
    let old = json!({"type": "A", "a": {}});
    assert_eq!(
        update("other", &open, &old, &json!({"type": "other"})).code,
        0
    );
    assert_eq!(
        update(
            "other_member",
            &open,
            &old,
            &json!({"type": "other", "b": {}})
        )
        .code,
        1
    );
}

#[test]
fn our_unions_go_before_the_rules() {
    let mut schema = by_type(&rules());
    schema["required"] = json!(["type"]);
    let members = json!({"A": {"name": "a", "optional": true}, "B": null});
    schema["properties"]["type"]["x-kubernetes-unions"] = json!({"fieldMembers": members});
    let ran = update(
        "ours",
        &schema,
        &json!({"type": "A", "a": {}}),
        &json!({"type": "B"}),
    );
    assert_eq!(
        (ran.code, ran.stderr.as_str()),
        (0, ""),
        "to the rules `b` is missing"
    );
}

/// A union whose rules treat an empty value as unset is not used, because the engine treats the
/// value as set. A note lists the union.
#[test]
fn what_is_not_sound_is_not_used() {
    let list = json!({"type": "array", "items": {"type": "string"}});
    let schema = json!({
        "type": "object",
        "properties": {"a": list, "b": list, "c": {"type": "string"}, "d": {"type": "string"}},
        "x-kubernetes-validations": [
            {"rule": "!(has(self.a) && size(self.a) > 0 && has(self.b) && size(self.b) > 0)"},
            {"rule": "!(has(self.c) && has(self.d))"},
        ],
    });
    let new = json!({"a": [], "b": []});
    let ran = update("empty", &schema, &new, &new);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(
        ran.stderr.contains("at most one of `c`, `d`"),
        "{}",
        ran.stderr
    );
    assert!(
        ran.stderr.contains(
            "not used: the object (at most one of `a`, `b`): the rules treat an empty value as unset"
        ),
        "{}",
        ran.stderr
    );
    let ran = update("empty_other", &schema, &new, &json!({"c": "", "d": ""}));
    assert_eq!(ran.code, 1);
}

#[test]
fn a_switch_that_a_server_refuses_is_said_beforehand() {
    let mut rules = rules();
    rules
        .as_array_mut()
        .unwrap()
        .push(json!({"rule": "has(self.a) == has(oldSelf.a)"}));
    let mut schema = by_type(&rules);
    schema["required"] = json!(["type"]);
    let old = json!({"type": "A", "a": {}});
    let ran = update(
        "kept",
        &schema,
        &old,
        &json!({"type": "B", "a": {}, "b": {}}),
    );
    assert_eq!(
        ran.json()["changes"],
        json!([{"path": "a", "kind": "cleared"}])
    );
    let says = "note: a: normalization cleared this field, but an API server would reject that: a rule keeps the old value: has(self.a) == has(oldSelf.a)\n";
    assert!(ran.stderr.contains(says), "{}", ran.stderr);
    let ran = update("kept_same", &schema, &old, &old);
    assert!(
        !ran.stderr.contains("keeps the old value"),
        "{}",
        ran.stderr
    );
}

#[test]
fn a_line_asks_for_it() {
    let case = |foreign: &Value| {
        let mut schema = by_type(&rules());
        schema["required"] = json!(["type"]);
        let mut line = json!({"schema": schema, "old": {"type": "A", "a": {}}, "new": {"type": "B", "a": {}, "b": {}}});
        if !foreign.is_null() {
            line["foreign"] = foreign.clone();
        }
        line.to_string()
    };
    let lines = [
        case(&json!(true)),
        case(&Value::Null),
        case(&json!(false)),
        case(&json!(true)),
    ];
    let ran = run_with(["unions", "--jsonl"], lines.join("\n"));
    let answers: Vec<Value> = ran
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let cleared = json!([{"path": "a", "kind": "cleared"}]);
    for (answer, asked) in answers.iter().zip([true, false, false, true]) {
        let changes = if asked { &cleared } else { &json!([]) };
        assert_eq!(answer["changes"], *changes);
        assert_eq!(answer.get("notes").is_some(), asked, "{answer}");
    }
    assert_eq!(
        answers[0]["notes"],
        json!([format!("schema: {NOTE}the object (by `type`)")])
    );
}
