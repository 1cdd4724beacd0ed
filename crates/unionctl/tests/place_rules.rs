//! Tests of `unionctl place-rules`.

use serde_json::{Value, json};

use crate::process::{file, run, run_with, sample};

fn crd() -> Value {
    let rule = json!({"rule": "(has(self.a)) || oldSelf.hasValue() && !has(oldSelf.value().a)", "optionalOldSelf": true});
    let element = json!({
        "type": "object", "properties": {"a": {"type": "integer"}}, "x-kubernetes-validations": [rule],
    });
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "docs.example.com"},
        "spec": {
            "group": "example.com",
            "names": {"kind": "Doc", "plural": "docs"},
            "scope": "Cluster",
            "versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": {
                "type": "object",
                "properties": {"l": {"type": "array", "maxItems": 9, "items": element}},
            }}}],
        },
    })
}

const RULE: &str =
    "/spec/versions/0/schema/openAPIV3Schema/properties/l/items/x-kubernetes-validations/0";

#[test]
fn a_rejected_crd_is_accepted_after_the_rewrite() {
    let path = file("to_place.json", crd().to_string());
    let rejected = run(["check", "--crd", &path]);
    assert_eq!(rejected.code, 1);
    assert!(
        rejected.stderr.contains("run `unionctl place-rules`"),
        "{}",
        rejected.stderr
    );
    let output = run(["place-rules", "--crd", &path]);
    assert_eq!(output.code, 0);
    assert_eq!(
        output.stderr,
        format!(
            "note: {path}: docs.example.com: {RULE}: removed the `oldSelf` part of the rule, which API servers do not support here\n"
        )
    );
    let rewritten = output.json();
    assert_eq!(
        rewritten.pointer(RULE),
        Some(&json!({"rule": "has(self.a)"}))
    );
    let path = file("placed.json", rewritten.to_string());
    assert_eq!(run(["check", "--crd", &path]).code, 0);
    let again = run(["place-rules", "--crd", &path]);
    assert_eq!(
        again.stderr,
        format!("note: {path}: no rule needs a change\n")
    );
    assert_eq!(again.json(), rewritten);
}

#[test]
fn every_item_of_a_list_is_rewritten() {
    let list = json!({"apiVersion": "v1", "kind": "List", "items": [crd(), crd()]});
    let output = run_with(
        ["place-rules", "--crd", "-", "-o", "json"],
        list.to_string(),
    );
    assert_eq!(output.stderr.lines().count(), 2, "{}", output.stderr);
    let rewritten = output.json();
    for item in 0..2 {
        let rule = rewritten.pointer(&format!("/items/{item}{RULE}")).unwrap();
        assert_eq!(rule["rule"], "has(self.a)");
    }
}

#[test]
fn yaml_input_has_yaml_output() {
    let output = run(["place-rules", "--crd", &sample("crd.yaml")]);
    assert_eq!(output.code, 0);
    assert!(
        output
            .stdout
            .starts_with("apiVersion: apiextensions.k8s.io/v1\n")
    );
}

#[test]
fn other_objects_are_errors() {
    let problem = |input: &str| {
        run_with(["place-rules", "--crd", "-"], input.to_owned())
            .problem()
            .to_owned()
    };
    assert_eq!(
        problem("kind: Deployment\n"),
        "stdin: expected a CustomResourceDefinition, found kind \"Deployment\""
    );
    assert_eq!(
        problem("a: 1\n"),
        "stdin: expected a CustomResourceDefinition, found an object without a kind"
    );
    assert_eq!(
        problem(""),
        "stdin: empty input; expected a CustomResourceDefinition"
    );
}
