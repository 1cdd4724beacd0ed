//! Tests of `unionctl place-rules`.

use serde_json::{Value, json};

use crate::process::{run, run_with_stdin, sample, write_file};

/// Returns a CRD with a rule that reads `oldSelf` in a list without keys.
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

const RULE_POINTER: &str =
    "/spec/versions/0/schema/openAPIV3Schema/properties/l/items/x-kubernetes-validations/0";

#[test]
fn a_rejected_crd_is_accepted_after_the_rewrite() {
    let crd_file = write_file("to_place.json", crd().to_string());
    let check_output = run(["check", "--crd", &crd_file]);
    assert_eq!(check_output.code, 1);
    assert!(
        check_output.stderr.contains("run `unionctl place-rules`"),
        "{}",
        check_output.stderr
    );
    let output = run(["place-rules", "--crd", &crd_file]);
    assert_eq!(output.code, 0);
    assert_eq!(
        output.stderr,
        format!(
            "note: {crd_file}: docs.example.com: {RULE_POINTER}: removed the `oldSelf` part of the rule, which API servers do not support here\n"
        )
    );
    let rewritten = output.json();
    assert_eq!(
        rewritten.pointer(RULE_POINTER),
        Some(&json!({"rule": "has(self.a)"}))
    );
    let crd_file = write_file("placed.json", rewritten.to_string());
    assert_eq!(run(["check", "--crd", &crd_file]).code, 0);
    let second_output = run(["place-rules", "--crd", &crd_file]);
    assert_eq!(
        second_output.stderr,
        format!("note: {crd_file}: no rule needs a change\n")
    );
    assert_eq!(second_output.json(), rewritten);
}

#[test]
fn every_item_of_a_list_is_rewritten() {
    let list = json!({"apiVersion": "v1", "kind": "List", "items": [crd(), crd()]});
    let output = run_with_stdin(
        ["place-rules", "--crd", "-", "-o", "json"],
        list.to_string(),
    );
    assert_eq!(output.stderr.lines().count(), 2, "{}", output.stderr);
    let rewritten = output.json();
    for index in 0..2 {
        let rule = rewritten
            .pointer(&format!("/items/{index}{RULE_POINTER}"))
            .unwrap();
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
fn objects_of_other_kinds_and_empty_input_are_errors() {
    let error_for = |input: &str| {
        run_with_stdin(["place-rules", "--crd", "-"], input.to_owned())
            .error_message()
            .to_owned()
    };
    assert_eq!(
        error_for("kind: Deployment\n"),
        "stdin: expected a CustomResourceDefinition, found kind \"Deployment\""
    );
    assert_eq!(
        error_for("a: 1\n"),
        "stdin: expected a CustomResourceDefinition, found an object without a kind"
    );
    assert_eq!(
        error_for(""),
        "stdin: empty input; expected a CustomResourceDefinition"
    );
}
