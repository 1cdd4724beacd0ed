//! Tests of `unionctl unions` with schemas that do not declare unions. Objects are validated by the
//! unions that are inferred from the rules, and a note lists these unions.

use serde_json::{Value, json};

use crate::hints::{farm, farm_crd};
use crate::process::{ProgramOutput, run, run_with_stdin, sample, write_file};

const NOTE: &str = "no unions are declared; using unions that are inferred from the rules: ";

/// Runs an update by a schema without a CRD.
fn update(name: &str, schema: &Value, old_object: &Value, new_object: &Value) -> ProgramOutput {
    let schema_file = write_file(&format!("foreign_{name}_schema.json"), schema.to_string());
    let old_file = write_file(&format!("foreign_{name}_old.json"), old_object.to_string());
    let new_file = write_file(&format!("foreign_{name}_new.json"), new_object.to_string());
    run([
        "unions",
        "--schema",
        &schema_file,
        "--old",
        &old_file,
        "--new",
        &new_file,
        "-o",
        "json",
    ])
}

/// Returns a schema with the discriminator `type`, the members `a` and `b`, and rules.
fn schema_with_rules(rules: &Value) -> Value {
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
fn a_switch_is_normalized_and_the_inferred_unions_are_noted() {
    let crd = sample("pipeline_crd.yaml");
    let (old_file, new_file) = (
        sample("pipeline_stored.yaml"),
        sample("pipeline_switched.yaml"),
    );
    let mut args = vec![
        "unions", "--crd", &crd, "--old", &old_file, "--new", &new_file,
    ];
    let output = run(&args);
    assert_eq!(output.code, 0);
    assert_eq!(
        output.stderr,
        format!(
            "note: {crd}: {NOTE}spec.notify (exactly one of `email`, `webhook`); spec.runner (by `type`); spec.source (by `type`)\n"
        )
    );
    assert!(
        output
            .stdout
            .ends_with("changed:\n  spec.source.git: cleared\nno errors\naccepted\n"),
        "{}",
        output.stdout
    );
    args.drain(3..5);
    let output = run(&args);
    assert_eq!(output.code, 1, "a create clears nothing");
}

/// The default of the discriminator is applied first, so the stored `a` without a `type` is valid.
#[test]
fn defaults_are_applied_before_validation() {
    let mut schema = schema_with_rules(&rules());
    schema["properties"]["type"]["default"] = json!("A");
    let old_object = json!({"a": {}});
    let output = update("default", &schema, &old_object, &old_object);
    assert_eq!((output.code, &output.json()["errors"]), (0, &json!([])));
    let output = update(
        "default_switched",
        &schema,
        &old_object,
        &json!({"type": "B", "a": {}, "b": {}}),
    );
    assert_eq!(
        output.json()["changes"],
        json!([{"path": "a", "kind": "cleared"}])
    );
    let output = update("default_wrong", &schema, &json!({}), &json!({"b": {}}));
    assert_eq!(output.code, 1);
}

#[test]
fn unions_of_one_of_and_with_open_discriminators_are_validated() {
    let exactly_one = json!({
        "type": "object",
        "properties": {"a": {"type": "object"}, "b": {"type": "object"}},
        "oneOf": [{"required": ["a"]}, {"required": ["b"]}],
    });
    assert_eq!(
        update("one", &exactly_one, &json!({"a": {}}), &json!({"b": {}})).code,
        0
    );
    assert_eq!(
        update("none", &exactly_one, &json!({"a": {}}), &json!({})).code,
        1
    );
    let mut open_schema = schema_with_rules(&rules());
    open_schema["properties"]["type"] = json!({"type": "string"});
    open_schema["required"] = json!(["type"]);
    let old_object = json!({"type": "A", "a": {}});
    assert_eq!(
        update(
            "other",
            &open_schema,
            &old_object,
            &json!({"type": "other"})
        )
        .code,
        0
    );
    assert_eq!(
        update(
            "other_member",
            &open_schema,
            &old_object,
            &json!({"type": "other", "b": {}})
        )
        .code,
        1
    );
}

#[test]
fn declared_unions_take_precedence_over_the_rules() {
    let mut schema = schema_with_rules(&rules());
    schema["required"] = json!(["type"]);
    let members = json!({"A": {"name": "a", "optional": true}, "B": null});
    schema["properties"]["type"]["x-kubernetes-unions"] = json!({"fieldMembers": members});
    let output = update(
        "ours",
        &schema,
        &json!({"type": "A", "a": {}}),
        &json!({"type": "B"}),
    );
    assert_eq!(
        (output.code, output.stderr.as_str()),
        (0, ""),
        "to the rules `b` is missing"
    );
}

/// A union whose rules treat an empty value as unset is not used, because `union-json` treats the
/// value as set. A note names the union.
#[test]
fn unions_that_are_not_sound_are_not_used() {
    let list_schema = json!({"type": "array", "items": {"type": "string"}});
    let schema = json!({
        "type": "object",
        "properties": {"a": list_schema, "b": list_schema, "c": {"type": "string"}, "d": {"type": "string"}},
        "x-kubernetes-validations": [
            {"rule": "!(has(self.a) && size(self.a) > 0 && has(self.b) && size(self.b) > 0)"},
            {"rule": "!(has(self.c) && has(self.d))"},
        ],
    });
    let new_object = json!({"a": [], "b": []});
    let output = update("empty", &schema, &new_object, &new_object);
    assert_eq!(output.code, 0, "{output:?}");
    assert!(
        output.stderr.contains("at most one of `c`, `d`"),
        "{}",
        output.stderr
    );
    assert!(
        output.stderr.contains(
            "not used: the object (at most one of `a`, `b`): the rules treat an empty value as unset"
        ),
        "{}",
        output.stderr
    );
    let output = update(
        "empty_other",
        &schema,
        &new_object,
        &json!({"c": "", "d": ""}),
    );
    assert_eq!(output.code, 1);
}

#[test]
fn a_switch_that_a_server_rejects_is_noted() {
    let mut rules = rules();
    rules
        .as_array_mut()
        .unwrap()
        .push(json!({"rule": "has(self.a) == has(oldSelf.a)"}));
    let mut schema = schema_with_rules(&rules);
    schema["required"] = json!(["type"]);
    let old_object = json!({"type": "A", "a": {}});
    let output = update(
        "kept",
        &schema,
        &old_object,
        &json!({"type": "B", "a": {}, "b": {}}),
    );
    assert_eq!(
        output.json()["changes"],
        json!([{"path": "a", "kind": "cleared"}])
    );
    let note = "note: a: normalization cleared this field, but an API server would reject that: a rule keeps the old value: has(self.a) == has(oldSelf.a)\n";
    assert!(output.stderr.contains(note), "{}", output.stderr);
    let output = update("kept_same", &schema, &old_object, &old_object);
    assert!(
        !output.stderr.contains("keeps the old value"),
        "{}",
        output.stderr
    );
}

#[test]
fn a_line_enables_inferred_unions() {
    let request = |foreign: &Value| {
        let mut schema = schema_with_rules(&rules());
        schema["required"] = json!(["type"]);
        let mut line = json!({"schema": schema, "old": {"type": "A", "a": {}}, "new": {"type": "B", "a": {}, "b": {}}});
        if !foreign.is_null() {
            line["foreign"] = foreign.clone();
        }
        line.to_string()
    };
    let lines = [
        request(&json!(true)),
        request(&Value::Null),
        request(&json!(false)),
        request(&json!(true)),
    ];
    let output = run_with_stdin(["unions", "--jsonl"], lines.join("\n"));
    let replies: Vec<Value> = output
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let expected_changes = json!([{"path": "a", "kind": "cleared"}]);
    for (reply, is_enabled) in replies.iter().zip([true, false, false, true]) {
        let changes = if is_enabled {
            &expected_changes
        } else {
            &json!([])
        };
        assert_eq!(reply["changes"], *changes);
        assert_eq!(reply.get("notes").is_some(), is_enabled, "{reply}");
    }
    assert_eq!(
        replies[0]["notes"],
        json!([format!("schema: {NOTE}the object (by `type`)")])
    );
}

/// Returns objects in which the fields `a` and `b` are absent, null or set.
fn specs() -> Vec<Value> {
    let values = [None, Some(Value::Null), Some(json!("x"))];
    let pairs = values
        .iter()
        .flat_map(|a| values.iter().map(move |b| [("a", a), ("b", b)]));
    let specs = pairs.map(|fields| {
        let set_fields = fields
            .into_iter()
            .filter_map(|(name, value)| Some((name, value.clone()?)));
        set_fields
            .map(|(name, value)| (name.to_owned(), value))
            .collect()
    });
    specs.collect()
}

#[test]
fn an_object_that_a_server_rejects_at_a_union_is_rejected() {
    let fields = |nullable: bool| {
        let field = json!({"type": "string", "nullable": nullable});
        json!({"a": field, "b": field, "title": {"type": "string"}})
    };
    let required = |name: &str| json!({ "required": [name] });
    let one_of = json!({"oneOf": [required("a"), required("b")]});
    let at_most_one = json!({"not": {"required": ["a", "b"]}});
    let rule = |rule: &str| json!({"x-kubernetes-validations": [{ "rule": rule }]});
    let counts = json!({"minProperties": 1, "maxProperties": 1});
    let all_rules = [
        one_of,
        at_most_one,
        rule("has(self.a) != has(self.b)"),
        rule("!has(self.a) || !has(self.b)"),
        counts,
    ];
    let mut rejected_count = 0;
    for rules in all_rules {
        for nullable in [true, false] {
            let mut schema = json!({"type": "object", "properties": fields(nullable)});
            for (keyword, value) in rules.as_object().unwrap() {
                schema[keyword] = value.clone();
            }
            let crd = write_file("foreign_server.json", farm_crd(&schema).to_string());
            for spec in specs() {
                let object = write_file("foreign_server_object.json", farm(&spec).to_string());
                let check = run(["check", "--crd", &crd, "--new", &object]);
                let unions = run(["unions", "--crd", &crd, "--new", &object]);
                assert!(
                    unions.stderr.contains("unions that are inferred"),
                    "{rules} {unions:?}"
                );
                assert_eq!(
                    check.code, unions.code,
                    "{rules} {spec}: {}{}",
                    check.stdout, unions.stdout
                );
                rejected_count += check.code;
                // The same rules as lines.
                let line = json!({"schema": schema, "new": spec, "foreign": true});
                let reply = run_with_stdin(["unions", "--jsonl"], line.to_string());
                let is_rejected = reply.json()["errors"] != json!([]);
                assert_eq!(
                    is_rejected,
                    check.code == 1,
                    "{rules} {spec}: {}",
                    reply.stdout
                );
            }
        }
    }
    assert!(rejected_count > 30, "{rejected_count}");
}
