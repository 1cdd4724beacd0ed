//! Tests of `unionctl unions` with one object.

use serde_json::{Value, json};

use crate::process::{ProgramOutput, run, run_with_stdin, sample, write_file};

/// Runs `unionctl unions` with the sample CRD, for samples of its kind.
#[track_caller]
fn run_for_backup(old_sample: Option<&str>, new_sample: &str, flags: &[&str]) -> ProgramOutput {
    let mut args = vec!["unions".to_owned(), "--crd".to_owned(), sample("crd.yaml")];
    if let Some(old_sample) = old_sample {
        args.extend(["--old".to_owned(), sample(old_sample)]);
    }
    args.extend(["--new".to_owned(), sample(new_sample)]);
    args.extend(flags.iter().map(ToString::to_string));
    run(args)
}

#[test]
fn changes_are_printed() {
    let output = run_for_backup(Some("stored.yaml"), "switched.yaml", &[]);
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

/// Returns true if an output ends with one error about `volume`, between `before` and `after`.
fn ends_with_one_error(stdout: &str, before: &str, after: &str) -> bool {
    let only_when = union_runtime::only_when("type", "Volume");
    let start = format!("{before}  spec.target.volume: Invalid value: \"\": {only_when}: ");
    let message = stdout
        .strip_suffix(after)
        .and_then(|stdout_before| stdout_before.split_once(&start));
    message.is_some_and(|(_, message)| !message.contains('\n'))
}

#[test]
fn errors_are_printed() {
    let output = run_for_backup(Some("stored.yaml"), "forgotten.yaml", &[]);
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
    let output = run_for_backup(Some("forgotten.yaml"), "forgotten.yaml", &[]);
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
        run_for_backup(
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
    let output = run_for_backup(None, "switched.yaml", &["-o", "json"]);
    assert_eq!(output.code, 1);
    assert_eq!(output.json()["changes"], json!([]));
    assert_eq!(output.json()["errors"][0]["field"], "spec.target.s3");
}

#[test]
fn json_output_is_one_value() {
    let output = run_for_backup(Some("stored.yaml"), "forgotten.yaml", &["-o", "json"]);
    assert_eq!(output.code, 1);
    let reply = output.json();
    let message = reply["errors"][0]["text"].as_str().unwrap();
    let start = "spec.target.volume: Invalid value: \"\": ";
    assert!(message.starts_with(start), "{message}");
    let errors =
        json!([{ "type": "FieldValueInvalid", "field": "spec.target.volume", "text": message }]);
    let target =
        json!({ "type": "S3", "s3": { "bucket": "nightly" }, "volume": { "claim": "disk-1" } });
    let object = json!({
        "apiVersion": "db.example.com/v1",
        "kind": "Backup",
        "metadata": { "name": "nightly" },
        "spec": { "target": target },
    });
    let expected = json!({ "object": object, "changes": [], "errors": errors, "ratcheted": [] });
    assert_eq!(reply, expected);

    let output = run_for_backup(Some("stored.yaml"), "switched.yaml", &["-o", "json"]);
    assert_eq!(output.code, 0);
    let changes = json!([{ "path": "spec.target.s3", "kind": "cleared" }]);
    assert_eq!(output.json()["changes"], changes);
}

const UNION_SCHEMA: &str = r#"{
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
    let schema = write_file("restored_schema.json", UNION_SCHEMA);
    let exit_code_and_changes = |member: &str, mode_args: &[&str]| {
        let value = if member == "alpha" { "Alpha" } else { "Beta" };
        let old_object = json!({ "type": value, member: {} }).to_string();
        let name = format!("restored_old_{member}_{}.json", mode_args.concat());
        let old_file = write_file(&name, old_object);
        let mut args = vec![
            "unions", "--schema", &schema, "--old", &old_file, "--new", "-",
        ];
        args.extend(["-o", "json"]);
        args.extend(mode_args);
        let output = run_with_stdin(args, json!({ "type": value }).to_string());
        (output.code, output.json()["changes"].clone())
    };
    let restored_change = |path: &str| json!([{ "path": path, "kind": "restored" }]);
    let no_changes = json!([]);
    assert_eq!(exit_code_and_changes("alpha", &[]), (1, no_changes.clone()));
    assert_eq!(
        exit_code_and_changes("alpha", &["--restore-unaware", "off"]),
        (1, no_changes.clone())
    );
    assert_eq!(
        exit_code_and_changes("alpha", &["--restore-unaware", "required"]),
        (0, restored_change("alpha"))
    );
    assert_eq!(
        exit_code_and_changes("beta", &["--restore-unaware", "required"]),
        (0, no_changes)
    );
    assert_eq!(
        exit_code_and_changes("beta", &["--restore-unaware", "all"]),
        (0, restored_change("beta"))
    );
}

#[test]
fn an_error_at_the_root_has_the_field_nil() {
    let schema = write_file(
        "root_schema.yaml",
        "x-kubernetes-unions: [{fields-to-discriminateBy: {a: A, b: B}}]",
    );
    let output = run_with_stdin(
        ["unions", "--schema", &schema, "--new", "-", "-o", "json"],
        "{a: 1, b: 2}",
    );
    assert_eq!(output.code, 1);
    let error = &output.json()["errors"][0];
    assert_eq!(error["field"], "<nil>");
    let message = error["text"].as_str().unwrap();
    assert!(message.starts_with("<nil>: Invalid value"), "{message}");
}

#[test]
fn yaml_and_json_input_have_the_same_output() {
    let convert_to_json = |yaml: &str| {
        let value: Value =
            serde_saphyr::from_str(&std::fs::read_to_string(sample(yaml)).unwrap()).unwrap();
        // The name of the file has no effect on the detected format.
        write_file(&format!("as_json_{yaml}"), value.to_string())
    };
    let (crd, old_file) = (convert_to_json("crd.yaml"), convert_to_json("stored.yaml"));
    for new_sample in ["switched.yaml", "forgotten.yaml"] {
        for format in ["text", "json"] {
            let new_file = convert_to_json(new_sample);
            let args = [
                "unions", "--crd", &crd, "--old", &old_file, "--new", &new_file,
            ];
            let from_json = run(args.into_iter().chain(["-o", format]));
            let from_yaml = run_for_backup(Some("stored.yaml"), new_sample, &["-o", format]);
            assert_eq!(from_json.stdout, from_yaml.stdout);
            assert_eq!(from_json.code, from_yaml.code);
            assert_eq!(from_json.stderr, "");
        }
    }
}

#[test]
fn every_input_can_be_stdin_but_only_one_of_them() {
    let read_sample = |name: &str| std::fs::read(sample(name)).unwrap();
    let (crd_file, old_file, new_file) = (
        sample("crd.yaml"),
        sample("stored.yaml"),
        sample("switched.yaml"),
    );
    let expected = run_for_backup(Some("stored.yaml"), "switched.yaml", &[]).stdout;
    let run_with_paths = |crd_file: &str, old_file: &str, new_file: &str, stdin: &str| {
        run_with_stdin(
            [
                "unions", "--crd", crd_file, "--old", old_file, "--new", new_file,
            ],
            read_sample(stdin),
        )
    };
    assert_eq!(
        run_with_paths("-", &old_file, &new_file, "crd.yaml").stdout,
        expected
    );
    assert_eq!(
        run_with_paths(&crd_file, "-", &new_file, "stored.yaml").stdout,
        expected
    );
    assert_eq!(
        run_with_paths(&crd_file, &old_file, "-", "switched.yaml").stdout,
        expected
    );
    assert_eq!(
        run_with_paths(&crd_file, "-", "-", "switched.yaml").error_message(),
        "stdin: --filename and --old both read stdin, which can be read only once; pass a file to one of them"
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
    assert!(error_output(&["unions", "--schema", "x"]).contains("--filename <FILE>"));
    assert!(
        error_output(&["unions", "--schema", "x", "--crd", "y", "--new", "z"]).contains("--crd")
    );
    assert!(
        error_output(&["unions", "--schema", "x", "--version", "y", "--new", "z"])
            .contains("--version")
    );
    assert!(error_output(&["unions", "--jsonl", "--new", "x"]).contains("--jsonl"));
    assert!(error_output(&["unions", "--jsonl", "--ratchet", "x"]).contains("same-reason"));
    let new_file = sample("stored.yaml");
    assert_eq!(
        run(["unions", "--new", &new_file]).error_message(),
        "the command line: missing --schema or --crd"
    );
    assert!(
        run(["unions", "--schema", "x", "--new", "nowhere.yaml"])
            .error_message()
            .starts_with("nowhere.yaml: cannot read the file (--filename): ")
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
