//! Tests of flags and input that a command must not ignore.

use serde_json::{Value, json};

use crate::hints::{farm, farm_crd};
use crate::process::{run, run_with_stdin, sample, write_file};

/// The end of the error of clap about two flags.
const CONFLICT: &str = "cannot be used with";

#[test]
fn a_flag_without_effect_is_an_error() {
    let (crd, object) = (sample("crd.yaml"), sample("stored.yaml"));
    let pipeline = sample("pipeline_crd.yaml");
    let unions = |args: &[&'static str]| [&["unions"], args].concat();
    let mut cases: Vec<(Vec<&str>, &str)> = Vec::new();
    for flag in ["--strict", "--all", "--by-convention"] {
        cases.push((
            vec!["unions", "--as", "annotation", flag, "--crd", &pipeline],
            CONFLICT,
        ));
        cases.push((vec!["unions", flag, "--crd", &crd, "-f", &object], CONFLICT));
        cases.push((
            unions(&["--list", "--jsonl", flag]),
            "has no effect with --list --jsonl",
        ));
    }
    for flags in [
        ["--crd", "/nowhere"],
        ["--schema", "/nowhere"],
        ["--name", "a"],
        ["--version", "v1"],
    ] {
        let args = [&unions(&["--list", "--jsonl"]), &flags[..]].concat();
        cases.push((args, "has no effect with --list --jsonl"));
    }
    for flags in [
        &["--context=a"][..],
        &["--from-cluster"],
        &["--kubeconfig=a"],
        &["--request-timeout=1s"],
    ] {
        for command in [
            &["unions", "--jsonl"][..],
            &["unions", "--list", "--jsonl"],
            &["check", "--jsonl"],
            &["patch", "--jsonl"],
        ] {
            cases.push(([command, flags].concat(), "has no effect with --jsonl"));
        }
    }
    for flags in [["--ratchet", "off"], ["--restore-unaware", "all"]] {
        let list = ["unions", "--list", "--crd", &crd];
        cases.push((
            [&list[..], &flags].concat(),
            "has no effect on a list of unions",
        ));
    }
    cases.push((vec!["compat", "--crd", &crd, "--from-cluster"], CONFLICT));
    cases.push((
        vec!["policy", "--validating", "--crd", &crd, "--deny"],
        CONFLICT,
    ));
    cases.push((vec!["compat", "--crd", "-", "--base", "HEAD"], "not stdin"));
    assert_errors(cases);
}

/// Checks that the commands only have an error on stderr with this part.
#[track_caller]
fn assert_errors(cases: Vec<(Vec<&str>, &str)>) {
    for (args, expected) in cases {
        let output = run_with_stdin(&args, "");
        assert_eq!(
            (output.code, &*output.stdout),
            (2, ""),
            "{args:?}: {output:?}"
        );
        assert!(output.stderr.contains(expected), "{args:?}: {output:?}");
    }
}

#[test]
fn a_flag_for_objects_is_an_error_without_objects() {
    let crd = sample("crd.yaml");
    let mut cases: Vec<(Vec<&str>, &str)> = Vec::new();
    for flag in ["--namespace=a", "--recursive=false", "--strict-kinds"] {
        cases.push((vec!["check", "--jsonl", flag], "has no effect with --jsonl"));
        let upgrade = vec!["upgrade", "--from", "1.35", "--crd", &crd, flag];
        for command in [
            vec!["check", "--crd", &crd, flag],
            vec!["check", &crd, flag],
            upgrade,
        ] {
            cases.push((command, "has no effect without --filename"));
        }
    }
    assert_errors(cases);
}

#[test]
fn a_flag_without_effect_on_a_built_in_kind_has_a_note() {
    let deployment = json!({
        "apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "a"},
        "spec": {"strategy": {"type": "RollingUpdate"}},
    });
    let file = write_file("ignored_deployment.json", deployment.to_string());
    let switch = [
        "patch",
        "switch",
        "-f",
        &file,
        "--union",
        "spec.strategy",
        "--to",
        "Recreate",
    ];
    let validate = ["unions", "-f", &file];
    for (command, flags) in [
        (
            &switch[..],
            &[["--name", "a"], ["--version", "v1"], ["--policy", "strict"]][..],
        ),
        (
            &validate,
            &[
                ["--name", "a"],
                ["--version", "v1"],
                ["--ratchet", "off"],
                ["--restore-unaware", "all"],
            ],
        ),
    ] {
        let plain = run(command);
        for flag in flags {
            let output = run(command.iter().chain(flag));
            let note = format!(
                "note: {} is not used: it has no effect on objects of built-in kinds\n",
                flag[0]
            );
            assert_eq!(
                (output.code, &output.stdout),
                (0, &plain.stdout),
                "{output:?}"
            );
            assert!(output.stderr.contains(&note), "{output:?}");
        }
    }
}

/// Returns CRDs of farms whose declarations of unions are invalid, with a part of the message.
fn invalid_declarations() -> [(Value, &'static str); 3] {
    let spec = json!({"type": "object", "properties": {"a": {"type": "string"}}});
    let mut with_extension = spec.clone();
    with_extension["x-kubernetes-unions"] = json!([{"fields-to-discriminateBy": {"zz": "zz"}}]);
    let with_annotation = |value: &str| {
        let mut crd = farm_crd(&spec);
        crd["metadata"]["annotations"] = json!({"union-runtime.dev/unions": value});
        crd
    };
    [
        (farm_crd(&with_extension), "zz"),
        (with_annotation("{bad"), "JSON"),
        (
            with_annotation(
                r#"{"v1": {"/properties/spec": [{"fields-to-discriminateBy": {"yy": "yy"}}]}}"#,
            ),
            "yy",
        ),
    ]
}

#[test]
fn an_invalid_declaration_of_unions_is_reported() {
    for (i, (crd, word)) in invalid_declarations().into_iter().enumerate() {
        let file = write_file(&format!("ignored_declaration_{i}.json"), crd.to_string());
        let list = ["unions", "--list", "--crd", &file];
        assert_eq!(run(list).code, 0);
        let output = run(list.iter().chain(&["--strict"]));
        assert_eq!(output.code, 1, "{output:?}");
        let message = "the declaration of unions is invalid: ";
        assert!(
            output.stdout.contains(message) && output.stdout.contains(word),
            "{output:?}"
        );
        let reply = run(list.iter().chain(&["-o", "json"])).json().to_string();
        assert!(reply.contains("invalid-declaration"), "{reply}");
        let sarif = run(list.iter().chain(&["-o", "sarif"])).json().to_string();
        assert!(sarif.contains("invalid-declaration"), "{sarif}");
        let export = run(["unions", "--as", "annotation", "--crd", &file]);
        assert!(export.stderr.contains(message), "{export:?}");
        let output = run(["compat", "--crd", &file, "--crd-new", &file]);
        let texts = [&*output.stdout, &*output.stderr];
        let notes = texts.iter().filter(|text| text.contains(word));
        assert_eq!(notes.count(), 1, "{output:?}");
    }
}

#[test]
fn a_declaration_for_another_version_only_is_named() {
    let mut crd = farm_crd(&json!({"type": "object"}));
    crd["metadata"]["annotations"] = json!({"union-runtime.dev/unions": r#"{"v7": {}}"#});
    let crd = write_file("ignored_other_version.json", crd.to_string());
    let object = write_file(
        "ignored_other_version_farm.json",
        farm(&json!({})).to_string(),
    );
    let output = run(["unions", "--crd", &crd, "-f", &object]);
    assert!(
        output.stderr.contains("declares unions of this version"),
        "{output:?}"
    );
}

#[test]
fn a_new_crd_without_an_old_crd_has_a_note() {
    let farm_crd = farm_crd(&json!({"type": "object"}));
    let mut other_crd = farm_crd.clone();
    other_crd["metadata"]["name"] = json!("barns.acre.example.com");
    other_crd["spec"]["names"] =
        json!({"kind": "Barn", "plural": "barns", "singular": "barn", "listKind": "BarnList"});
    let old = write_file("ignored_old.json", farm_crd.to_string());
    let new = write_file("ignored_new.json", format!("{farm_crd}\n{other_crd}\n"));
    let object = write_file("ignored_farm.json", farm(&json!({})).to_string());
    let output = run(["tighten", "--crd", &old, "--crd-new", &new, "-f", &object]);
    let note = format!(
        "note: {new}: CustomResourceDefinition \"barns.acre.example.com\" is not in {old}; it is new\n"
    );
    assert_eq!((output.code, output.stderr), (0, note));
}

#[test]
fn documents_of_other_types_are_errors() {
    let expected_crd = "expected a CustomResourceDefinition, found";
    let expected_schema = "expected a schema, an OpenAPI document or a CRD, found";
    for (content, found) in [
        ("42", "a number"),
        ("\"s\"", "a string"),
        ("[]", "a list"),
        ("{kind: List, apiVersion: v1}", "List"),
        ("{kind: Deployment, apiVersion: apps/v1}", "Deployment"),
    ] {
        let file = write_file("ignored_document.yaml", content);
        for (args, expected) in [
            (["place-rules", "--crd", &file], expected_crd),
            (["prune-enums", "--schema", &file], expected_schema),
        ] {
            let output = run(args);
            let message = output.error_message();
            assert!(
                message.contains(expected) && message.contains(found),
                "{output:?}"
            );
        }
    }
    let crd = farm_crd(&json!({"type": "object"}));
    for kind in ["List", "CustomResourceDefinitionList"] {
        let list = json!({"apiVersion": "apiextensions.k8s.io/v1", "kind": kind, "items": [crd]});
        let file = write_file("ignored_list.json", list.to_string());
        for args in [
            ["place-rules", "--crd", &file],
            ["prune-enums", "--schema", &file],
        ] {
            assert_eq!(run(args).code, 0, "{args:?}");
        }
    }
}

#[test]
fn a_kind_that_is_named_twice_has_one_policy() {
    let once = run(["policy", "--mutating", "--builtin", "Deployment"]);
    let twice = run([
        "policy",
        "--mutating",
        "--builtin",
        "Deployment",
        "--builtin",
        "deployment",
    ]);
    assert_eq!((twice.code, twice.stdout), (0, once.stdout));
}

#[test]
fn an_error_about_a_flag_of_generate_names_the_flag() {
    let crd = sample("crd.yaml");
    for (flags, expected) in [
        (
            ["--module", "type"],
            "--module: \"type\" is not a Rust identifier; use letters, digits and `_`, and no keyword",
        ),
        (
            ["--kube-version", "1.27"],
            "--kube-version: version \"1.27\" is not supported by k8s-openapi",
        ),
        (
            ["--derive", "a b"],
            "--derive: \"a b\" must be the path of a derive",
        ),
    ] {
        let output = run(["generate", "rust", "--crd", &crd].iter().chain(&flags));
        assert!(output.error_message().starts_with(expected), "{output:?}");
    }
}

#[test]
fn strict_kinds_and_a_namespace_are_not_ignored_without_a_crd() {
    let pod = json!({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}});
    let list = json!({"apiVersion": "v1", "kind": "List", "items": [pod, farm(&json!({}))]});
    let file = write_file("ignored_strict_kinds.json", list.to_string());
    let check = ["check", "-f", &file];
    assert_eq!(run(check).code, 0);
    let output = run(check.iter().chain(&["--strict-kinds"]));
    assert_eq!(output.code, 1, "{output:?}");
    assert!(output.stdout.ends_with("rejected\n"), "{output:?}");
    let output = run(check.iter().chain(&["-n", "a"]));
    let note = "note: --namespace is not used: it has no effect on objects of built-in kinds\n";
    assert!(
        output.code == 0 && output.stderr.contains(note),
        "{output:?}"
    );
}
