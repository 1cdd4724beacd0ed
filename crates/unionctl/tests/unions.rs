//! Tests of `unionctl unions` with one object.

use serde_json::{Value, json};

use crate::process::{ProgramOutput, file, run, run_with, sample};

/// Runs `unionctl unions` with the CRD of the samples.
#[track_caller]
fn backup(old: Option<&str>, new: &str, more: &[&str]) -> ProgramOutput {
    let mut args = vec!["unions".to_owned(), "--crd".to_owned(), sample("crd.yaml")];
    if let Some(old) = old {
        args.extend(["--old".to_owned(), sample(old)]);
    }
    args.extend(["--new".to_owned(), sample(new)]);
    args.extend(more.iter().map(ToString::to_string));
    run(args)
}

#[test]
fn changes_are_printed() {
    let output = backup(Some("stored.yaml"), "switched.yaml", &[]);
    assert_eq!((output.code, output.stderr.as_str()), (0, ""));
    assert_eq!(
        output.stdout,
        "\
object:
  apiVersion: db.example.com/v1
  kind: Backup
  metadata:
    name: nightly
  spec:
    target:
      type: Volume
      volume:
        claim: disk-1
changed:
  spec.target.s3: cleared
no errors
accepted
"
    );
}

/// Returns true if an output ends with `before`, one error about `volume`, and `after`.
fn ends_with_one_error(stdout: &str, before: &str, after: &str) -> bool {
    let only = union_runtime::only_when("type", "Volume");
    let start = format!("{before}  spec.target.volume: Invalid value: \"\": {only}: ");
    let message = stdout
        .strip_suffix(after)
        .and_then(|rest| rest.split_once(&start));
    message.is_some_and(|(_, message)| !message.contains('\n'))
}

#[test]
fn errors_are_printed() {
    let output = backup(Some("stored.yaml"), "forgotten.yaml", &[]);
    assert_eq!((output.code, output.stderr.as_str()), (1, ""));
    let [before, after] = ["errors:\n", "\nrejected\n"];
    assert!(
        ends_with_one_error(&output.stdout, before, after),
        "{}",
        output.stdout
    );
}

#[test]
fn tolerated_errors_are_printed() {
    let output = backup(Some("forgotten.yaml"), "forgotten.yaml", &[]);
    assert_eq!((output.code, output.stderr.as_str()), (0, ""));
    let before = "tolerated:\n";
    assert!(
        ends_with_one_error(&output.stdout, before, "\naccepted\n"),
        "{}",
        output.stdout
    );
}

#[test]
fn no_error_is_tolerated_without_ratcheting() {
    let ratchet = |mode| {
        backup(
            Some("forgotten.yaml"),
            "forgotten.yaml",
            &["--ratchet", mode],
        )
    };
    assert_eq!(ratchet("same-reason").code, 0);
    assert_eq!(ratchet("unchanged").code, 0);
    assert_eq!(ratchet("off").code, 1);
}

#[test]
fn a_create_has_no_old_object() {
    let output = backup(None, "switched.yaml", &["-o", "json"]);
    assert_eq!(output.code, 1);
    assert_eq!(output.json()["changes"], json!([]));
    assert_eq!(output.json()["errors"][0]["field"], "spec.target.s3");
}

#[test]
fn json_is_one_value() {
    let output = backup(Some("stored.yaml"), "forgotten.yaml", &["-o", "json"]);
    assert_eq!(output.code, 1);
    let printed = output.json();
    let text = printed["errors"][0]["text"].as_str().unwrap();
    let start = "spec.target.volume: Invalid value: \"\": ";
    assert!(text.starts_with(start), "{text}");
    let found =
        json!([{ "type": "FieldValueInvalid", "field": "spec.target.volume", "text": text }]);
    let target =
        json!({ "type": "S3", "s3": { "bucket": "nightly" }, "volume": { "claim": "disk-1" } });
    let object = json!({
        "apiVersion": "db.example.com/v1",
        "kind": "Backup",
        "metadata": { "name": "nightly" },
        "spec": { "target": target },
    });
    let expected = json!({ "object": object, "changes": [], "errors": found, "ratcheted": [] });
    assert_eq!(printed, expected);

    let output = backup(Some("stored.yaml"), "switched.yaml", &["-o", "json"]);
    assert_eq!(output.code, 0);
    let changes = json!([{ "path": "spec.target.s3", "kind": "cleared" }]);
    assert_eq!(output.json()["changes"], changes);
}

const SCHEMA: &str = r#"{
    "type": "object",
    "required": ["type"],
    "properties": {
        "type": {
            "type": "string",
            "enum": ["None", "Alpha", "Beta"],
            "x-kubernetes-unions": {"fieldMembers": {
                "None": null,
                "Alpha": {"name": "alpha", "optional": false},
                "Beta": {"name": "beta", "optional": true}
            }}
        },
        "alpha": {"type": "object"},
        "beta": {"type": "object"}
    }
}"#;

#[test]
fn dropped_members_are_restored_on_request() {
    let schema = file("restored_schema.json", SCHEMA);
    let restored = |member: &str, mode: &[&str]| {
        let value = if member == "alpha" { "Alpha" } else { "Beta" };
        let old = json!({ "type": value, member: {} }).to_string();
        let name = format!("restored_old_{member}_{}.json", mode.concat());
        let old = file(&name, old);
        let mut args = vec!["unions", "--schema", &schema, "--old", &old, "--new", "-"];
        args.extend(["-o", "json"]);
        args.extend(mode);
        let output = run_with(args, json!({ "type": value }).to_string());
        (output.code, output.json()["changes"].clone())
    };
    let restored_change = |path: &str| json!([{ "path": path, "kind": "restored" }]);
    let no_changes = json!([]);
    assert_eq!(restored("alpha", &[]), (1, no_changes.clone()));
    assert_eq!(
        restored("alpha", &["--restore-unaware", "off"]),
        (1, no_changes.clone())
    );
    assert_eq!(
        restored("alpha", &["--restore-unaware", "required"]),
        (0, restored_change("alpha"))
    );
    assert_eq!(
        restored("beta", &["--restore-unaware", "required"]),
        (0, no_changes)
    );
    assert_eq!(
        restored("beta", &["--restore-unaware", "all"]),
        (0, restored_change("beta"))
    );
}

#[test]
fn the_root_has_a_field_too() {
    let schema = file(
        "root_schema.yaml",
        "x-kubernetes-unions: [{fields-to-discriminateBy: {a: A, b: B}}]",
    );
    let output = run_with(
        ["unions", "--schema", &schema, "--new", "-", "-o", "json"],
        "{a: 1, b: 2}",
    );
    assert_eq!(output.code, 1);
    let error = &output.json()["errors"][0];
    assert_eq!(error["field"], "<nil>");
    let text = error["text"].as_str().unwrap();
    assert!(text.starts_with("<nil>: Invalid value"), "{text}");
}

#[test]
fn yaml_and_json_are_the_same() {
    let json_of = |yaml: &str| {
        let value: Value =
            serde_saphyr::from_str(&std::fs::read_to_string(sample(yaml)).unwrap()).unwrap();
        // The name of the file has no effect on the detected format.
        file(&format!("as_json_{yaml}"), value.to_string())
    };
    let (crd, old) = (json_of("crd.yaml"), json_of("stored.yaml"));
    for new in ["switched.yaml", "forgotten.yaml"] {
        for format in ["text", "json"] {
            let new_json = json_of(new);
            let args = ["unions", "--crd", &crd, "--old", &old, "--new", &new_json];
            let from_json = run(args.into_iter().chain(["-o", format]));
            let from_yaml = backup(Some("stored.yaml"), new, &["-o", format]);
            assert_eq!(from_json.stdout, from_yaml.stdout);
            assert_eq!(from_json.code, from_yaml.code);
            assert_eq!(from_json.stderr, "");
        }
    }
}

#[test]
fn every_input_can_be_stdin_but_only_one_of_them() {
    let content = |name: &str| std::fs::read(sample(name)).unwrap();
    let (crd, old, new) = (
        sample("crd.yaml"),
        sample("stored.yaml"),
        sample("switched.yaml"),
    );
    let expected = backup(Some("stored.yaml"), "switched.yaml", &[]).stdout;
    let with = |crd: &str, old: &str, new: &str, stdin: &str| {
        run_with(
            ["unions", "--crd", crd, "--old", old, "--new", new],
            content(stdin),
        )
    };
    assert_eq!(with("-", &old, &new, "crd.yaml").stdout, expected);
    assert_eq!(with(&crd, "-", &new, "stored.yaml").stdout, expected);
    assert_eq!(with(&crd, &old, "-", "switched.yaml").stdout, expected);
    assert_eq!(
        with(&crd, "-", "-", "switched.yaml").problem(),
        "stdin: --new and --old both read stdin, which can be read only once; pass a file to one of them"
    );
}

#[test]
fn invalid_arguments_have_exit_code_2() {
    let error_output = |args: &[&str]| {
        let output = run(args);
        assert_eq!((output.code, output.stdout.as_str()), (2, ""), "{args:?}");
        output.stderr
    };
    assert!(error_output(&[]).contains("Usage: unionctl"));
    assert!(error_output(&["union"]).contains("a similar subcommand exists: 'unions'"));
    assert!(error_output(&["unions", "--newer", "x"]).contains("'--new'"));
    assert!(error_output(&["unions", "--schema", "x"]).contains("--new <FILE>"));
    assert!(
        error_output(&["unions", "--schema", "x", "--crd", "y", "--new", "z"]).contains("--crd")
    );
    assert!(
        error_output(&["unions", "--schema", "x", "--version", "y", "--new", "z"])
            .contains("--version")
    );
    assert!(error_output(&["unions", "--jsonl", "--new", "x"]).contains("--jsonl"));
    assert!(error_output(&["unions", "--jsonl", "--ratchet", "x"]).contains("same-reason"));
    let new = sample("stored.yaml");
    assert_eq!(
        run(["unions", "--new", &new]).problem(),
        "the command line: missing --schema or --crd"
    );
    assert!(
        run(["unions", "--schema", "x", "--new", "nowhere.yaml"])
            .problem()
            .starts_with("nowhere.yaml: cannot read the file (--new): ")
    );
}

#[test]
fn help_has_exit_code_0() {
    for args in [
        &["--help"][..],
        &["help", "unions"],
        &["unions", "-h"],
        &["--version"],
    ] {
        let output = run(args);
        assert_eq!((output.code, output.stderr.as_str()), (0, ""), "{args:?}");
        assert!(output.stdout.contains("unionctl"));
    }
}
