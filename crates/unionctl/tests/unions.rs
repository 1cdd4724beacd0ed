//! Tests of `unionctl unions` with one object.

use serde_json::{Value, json};

use crate::process::{ProgramOutput, file, run, run_with, sample};

/// Runs the subcommand with the CRD of the samples.
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
fn what_changed() {
    let ran = backup(Some("stored.yaml"), "switched.yaml", &[]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    assert_eq!(
        ran.stdout,
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

/// Returns true if the end of an output is `before`, one line about `volume`, and `after`.
fn ends_with_one_error(stdout: &str, before: &str, after: &str) -> bool {
    let only = union_runtime::only_when("type", "Volume");
    let start = format!("{before}  spec.target.volume: Invalid value: \"\": {only}: ");
    let message = stdout
        .strip_suffix(after)
        .and_then(|rest| rest.split_once(&start));
    message.is_some_and(|(_, message)| !message.contains('\n'))
}

#[test]
fn what_is_wrong() {
    let ran = backup(Some("stored.yaml"), "forgotten.yaml", &[]);
    assert_eq!((ran.code, ran.stderr.as_str()), (1, ""));
    let [before, after] = ["errors:\n", "\nrejected\n"];
    assert!(
        ends_with_one_error(&ran.stdout, before, after),
        "{}",
        ran.stdout
    );
}

#[test]
fn what_is_tolerated() {
    let ran = backup(Some("forgotten.yaml"), "forgotten.yaml", &[]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    let before = "tolerated:\n";
    assert!(
        ends_with_one_error(&ran.stdout, before, "\naccepted\n"),
        "{}",
        ran.stdout
    );
}

#[test]
fn nothing_is_tolerated_without_ratcheting() {
    let ratchet = |how| {
        backup(
            Some("forgotten.yaml"),
            "forgotten.yaml",
            &["--ratchet", how],
        )
    };
    assert_eq!(ratchet("same-reason").code, 0);
    assert_eq!(ratchet("unchanged").code, 0);
    assert_eq!(ratchet("off").code, 1);
}

#[test]
fn a_create_has_no_old_object() {
    let ran = backup(None, "switched.yaml", &["-o", "json"]);
    assert_eq!(ran.code, 1);
    assert_eq!(ran.json()["changes"], json!([]));
    assert_eq!(ran.json()["errors"][0]["field"], "spec.target.s3");
}

#[test]
fn json_is_one_value() {
    let ran = backup(Some("stored.yaml"), "forgotten.yaml", &["-o", "json"]);
    assert_eq!(ran.code, 1);
    let printed = ran.json();
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
    let whole = json!({ "object": object, "changes": [], "errors": found, "ratcheted": [] });
    assert_eq!(printed, whole);

    let ran = backup(Some("stored.yaml"), "switched.yaml", &["-o", "json"]);
    assert_eq!(ran.code, 0);
    let changes = json!([{ "path": "spec.target.s3", "kind": "cleared" }]);
    assert_eq!(ran.json()["changes"], changes);
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
fn dropped_members_come_back_where_that_is_asked_for() {
    let schema = file("restored_schema.json", SCHEMA);
    let restored = |member: &str, how: &[&str]| {
        let value = if member == "alpha" { "Alpha" } else { "Beta" };
        let old = json!({ "type": value, member: {} }).to_string();
        let name = format!("restored_old_{member}_{}.json", how.concat());
        let old = file(&name, old);
        let mut args = vec!["unions", "--schema", &schema, "--old", &old, "--new", "-"];
        args.extend(["-o", "json"]);
        args.extend(how);
        let ran = run_with(args, json!({ "type": value }).to_string());
        (ran.code, ran.json()["changes"].clone())
    };
    let back = |path: &str| json!([{ "path": path, "kind": "restored" }]);
    let nothing = json!([]);
    assert_eq!(restored("alpha", &[]), (1, nothing.clone()));
    assert_eq!(
        restored("alpha", &["--restore-unaware", "off"]),
        (1, nothing.clone())
    );
    assert_eq!(
        restored("alpha", &["--restore-unaware", "required"]),
        (0, back("alpha"))
    );
    assert_eq!(
        restored("beta", &["--restore-unaware", "required"]),
        (0, nothing)
    );
    assert_eq!(
        restored("beta", &["--restore-unaware", "all"]),
        (0, back("beta"))
    );
}

#[test]
fn the_root_has_a_field_too() {
    let schema = file(
        "root_schema.yaml",
        "x-kubernetes-unions: [{fields-to-discriminateBy: {a: A, b: B}}]",
    );
    let ran = run_with(
        ["unions", "--schema", &schema, "--new", "-", "-o", "json"],
        "{a: 1, b: 2}",
    );
    assert_eq!(ran.code, 1);
    let error = &ran.json()["errors"][0];
    assert_eq!(error["field"], "<nil>");
    let text = error["text"].as_str().unwrap();
    assert!(text.starts_with("<nil>: Invalid value"), "{text}");
}

#[test]
fn yaml_and_json_are_the_same() {
    let json_of = |yaml: &str| {
        let value: Value =
            serde_saphyr::from_str(&std::fs::read_to_string(sample(yaml)).unwrap()).unwrap();
        // The name of the file does not decide its format.
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
fn every_input_can_be_stdin_and_one_at_a_time() {
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
fn wrong_use_is_code_2() {
    let wrong = |args: &[&str]| {
        let ran = run(args);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{args:?}");
        ran.stderr
    };
    assert!(wrong(&[]).contains("Usage: unionctl"));
    assert!(wrong(&["union"]).contains("a similar subcommand exists: 'unions'"));
    assert!(wrong(&["unions", "--newer", "x"]).contains("'--new'"));
    assert!(wrong(&["unions", "--schema", "x"]).contains("--new <FILE>"));
    assert!(wrong(&["unions", "--schema", "x", "--crd", "y", "--new", "z"]).contains("--crd"));
    assert!(
        wrong(&["unions", "--schema", "x", "--version", "y", "--new", "z"]).contains("--version")
    );
    assert!(wrong(&["unions", "--jsonl", "--new", "x"]).contains("--jsonl"));
    assert!(wrong(&["unions", "--jsonl", "--ratchet", "x"]).contains("same-reason"));
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
fn help_is_fine() {
    for args in [
        &["--help"][..],
        &["help", "unions"],
        &["unions", "-h"],
        &["--version"],
    ] {
        let ran = run(args);
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{args:?}");
        assert!(ran.stdout.contains("unionctl"));
    }
}
