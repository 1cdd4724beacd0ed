//! Tests of `unionctl policy`.

use serde_json::Value;

use crate::process::{run, sample, write_file};

#[test]
fn a_policy_and_its_binding_are_yaml_or_json() {
    let crd = sample("crd.yaml");
    let yaml_output = run(["policy", "--mutating", "--validating", "--crd", &crd]);
    assert_eq!((yaml_output.code, &*yaml_output.stderr), (0, ""));
    let kinds = yaml_output
        .stdout
        .lines()
        .filter(|line| line.starts_with("kind: "));
    assert_eq!(
        kinds.collect::<Vec<_>>(),
        [
            "kind: MutatingAdmissionPolicy",
            "kind: MutatingAdmissionPolicyBinding",
            "kind: ValidatingAdmissionPolicy",
            "kind: ValidatingAdmissionPolicyBinding",
        ]
    );
    let json_output = run(["policy", "--mutating", "--crd", &crd, "-o", "json"]);
    let policy: Value = serde_json::Deserializer::from_str(&json_output.stdout)
        .into_iter()
        .next()
        .expect("one")
        .expect("JSON");
    let patch = policy["spec"]["mutations"][0]["jsonPatch"]["expression"]
        .as_str()
        .expect("a text");
    assert!(patch.contains("'/spec/target/'"), "{patch}");
    // The YAML output contains the same expression as the JSON output.
    assert!(yaml_output.stdout.contains(patch), "{}", yaml_output.stdout);
}

#[test]
fn the_policy_type_is_required_and_invalid_inputs_are_errors() {
    let crd = sample("crd.yaml");
    let output = run(["policy", "--crd", &crd]);
    assert_eq!(output.code, 2);
    assert!(output.stderr.contains("--mutating"), "{}", output.stderr);
    let output = run([
        "policy",
        "--mutating",
        "--crd",
        &crd,
        "--kube-version",
        "1.30",
    ]);
    assert_eq!(output.code, 2);
    assert!(
        output
            .stderr
            .contains("Kubernetes 1.30 does not support MutatingAdmissionPolicy"),
        "{}",
        output.stderr
    );
    let output = run(["policy", "--mutating", "--crd", &sample("stored.yaml")]);
    assert_eq!(output.code, 2);
    assert!(
        output.stderr.contains("no CustomResourceDefinition found"),
        "{}",
        output.stderr
    );
}

#[test]
fn limitations_are_noted() {
    let crd = r#"{"kind": "CustomResourceDefinition", "metadata": {"name": "samples.example.com"}, "spec": {
        "group": "example.com", "names": {"plural": "samples", "kind": "Sample"},
        "versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": {
            "type": "object", "properties": {"l": {"type": "array", "items": {"type": "object", "properties": {
                "type": {"type": "string", "enum": ["A", "B"]}, "a": {"type": "object"}, "b": {"type": "object"}
            }}}}
        }}}]
    }}"#;
    let crd_file = write_file("unkeyed.json", crd);
    let output = run(["policy", "--mutating", "--crd", &crd_file]);
    assert_eq!((output.code, &*output.stdout), (0, ""));
    assert!(
        output
            .stderr
            .contains("no unions found, so no policy is written"),
        "{}",
        output.stderr
    );
    let output = run([
        "policy",
        "--mutating",
        "--crd",
        &crd_file,
        "--by-convention",
    ]);
    assert!(
        output.stderr.contains(
            "samples.example.com: l[*]: the union by \"type\" is inside a list without keys"
        ),
        "{}",
        output.stderr
    );
    let output = run([
        "policy",
        "--validating",
        "--crd",
        &crd_file,
        "--by-convention",
    ]);
    assert!(
        output
            .stdout
            .contains("kind: ValidatingAdmissionPolicyBinding"),
        "{}",
        output.stderr
    );
}
