//! Tests of `unionctl policy`.

use serde_json::Value;

use crate::process::{file, run, sample};

#[test]
fn a_policy_and_its_binding_are_yaml_or_json() {
    let crd = sample("crd.yaml");
    let yaml = run(["policy", "--mutating", "--validating", "--crd", &crd]);
    assert_eq!((yaml.code, &*yaml.stderr), (0, ""));
    let kinds = yaml
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
    let json = run(["policy", "--mutating", "--crd", &crd, "-o", "json"]);
    let policy: Value = serde_json::Deserializer::from_str(&json.stdout)
        .into_iter()
        .next()
        .expect("one")
        .expect("JSON");
    let patch = policy["spec"]["mutations"][0]["jsonPatch"]["expression"]
        .as_str()
        .expect("a text");
    assert!(patch.contains("'/spec/target/'"), "{patch}");
    // The YAML output contains the same expression as the JSON output.
    assert!(yaml.stdout.contains(patch), "{}", yaml.stdout);
}

#[test]
fn the_policy_type_is_required_and_invalid_inputs_are_errors() {
    let crd = sample("crd.yaml");
    let neither = run(["policy", "--crd", &crd]);
    assert_eq!(neither.code, 2);
    assert!(neither.stderr.contains("--mutating"), "{}", neither.stderr);
    let old = run([
        "policy",
        "--mutating",
        "--crd",
        &crd,
        "--kube-version",
        "1.30",
    ]);
    assert_eq!(old.code, 2);
    assert!(
        old.stderr
            .contains("Kubernetes 1.30 does not support MutatingAdmissionPolicy"),
        "{}",
        old.stderr
    );
    let other = run(["policy", "--mutating", "--crd", &sample("stored.yaml")]);
    assert_eq!(other.code, 2);
    assert!(
        other.stderr.contains("no CustomResourceDefinition found"),
        "{}",
        other.stderr
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
    let path = file("unkeyed.json", crd);
    let none = run(["policy", "--mutating", "--crd", &path]);
    assert_eq!((none.code, &*none.stdout), (0, ""));
    assert!(
        none.stderr
            .contains("no unions found, so no policy is written"),
        "{}",
        none.stderr
    );
    let unkeyed = run(["policy", "--mutating", "--crd", &path, "--by-convention"]);
    assert!(
        unkeyed.stderr.contains(
            "samples.example.com: l[]: the union by \"type\" is inside a list without keys"
        ),
        "{}",
        unkeyed.stderr
    );
    let validating = run(["policy", "--validating", "--crd", &path, "--by-convention"]);
    assert!(
        validating
            .stdout
            .contains("kind: ValidatingAdmissionPolicyBinding"),
        "{}",
        validating.stderr
    );
}
