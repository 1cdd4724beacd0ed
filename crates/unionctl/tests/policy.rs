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

#[test]
fn policies_of_built_in_kinds_need_no_crd() {
    let output = run([
        "policy",
        "--mutating",
        "--validating",
        "--builtin",
        "deployment",
        "--builtin",
        "DaemonSet",
    ]);
    assert_eq!(output.code, 0, "{}", output.stderr);
    let names = output
        .stdout
        .lines()
        .filter_map(|line| line.strip_prefix("  name: "));
    let names: Vec<&str> = names.collect();
    // A binding has the name of its policy.
    let expected = [
        "normalize-unions.v1.deployments.apps",
        "normalize-unions.v1.daemonsets.apps",
        "validate-unions.v1.daemonsets.apps",
    ];
    assert_eq!(names, expected.map(|name| [name; 2]).concat());
    assert!(
        output
            .stderr
            .contains("apps/v1 Deployment: the object: API servers reject all invalid unions"),
        "{}",
        output.stderr
    );
    assert!(output.stdout.contains("  - Warn\n"), "{}", output.stdout);
    let output = run(["policy", "--validating", "--deny", "--builtin", "DaemonSet"]);
    assert!(output.stdout.contains("  - Deny\n"), "{}", output.stdout);
}

#[test]
fn a_kind_has_a_policy_for_each_served_api_version() {
    let names = |version: &str| {
        let output = run([
            "policy",
            "--mutating",
            "--builtin",
            "ResourceClaim",
            "--kube-version",
            version,
            "-o",
            "json",
        ]);
        let notes = output.stderr.lines().map(str::to_owned);
        let notes = notes.filter(|note| note.contains("list without keys"));
        let mut api_versions: Vec<String> = notes
            .filter_map(|note| Some(note.split_once("note: ")?.1.split(' ').next()?.to_owned()))
            .collect();
        api_versions.dedup();
        api_versions
    };
    assert_eq!(
        names("1.36"),
        [
            "resource.k8s.io/v1",
            "resource.k8s.io/v1beta1",
            "resource.k8s.io/v1beta2"
        ]
    );
}

#[test]
fn invalid_options_for_built_in_kinds_are_errors() {
    let crd = sample("crd.yaml");
    for (args, expected) in [
        (
            &["--mutating", "--builtin", "ConfigMap"][..],
            "\"ConfigMap\" is not a built-in kind with unions",
        ),
        (
            &["--mutating", "--builtin", "SubjectAccessReview"],
            "API servers do not evaluate admission policies for authorization.k8s.io/v1 SubjectAccessReview",
        ),
        (
            &[
                "--mutating",
                "--builtin",
                "EvictionRequest",
                "--kube-version",
                "1.36",
            ],
            "Kubernetes 1.36 does not serve lifecycle.k8s.io/v1alpha1 EvictionRequest",
        ),
        (&["--mutating", "--builtin", "Pod", "--crd", &crd], "--crd"),
        (
            &["--mutating", "--builtin", "Pod", "--deny"],
            "--validating",
        ),
        (&["--mutating", "--deny", "--crd", &crd], "--builtin"),
    ] {
        let args = [&["policy"], args].concat();
        let output = run(args.clone());
        assert_eq!(output.code, 2, "{args:?}: {}", output.stdout);
        assert!(
            output.stderr.contains(expected),
            "{args:?}: {}",
            output.stderr
        );
    }
}
