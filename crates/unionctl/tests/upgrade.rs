//! Tests of `unionctl upgrade`.

use serde_json::{Value, json};

use crate::process::{ProgramOutput, run, write_file};

/// Writes a CRD with an `int32` field, which servers validate from 1.36 on, and a rule that calls
/// `isIP` (from 1.30 on), and a file with two of its objects. Returns both paths.
fn files(name: &str) -> [String; 2] {
    let crd = json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "databases.example.com"},
        "spec": {
            "group": "example.com", "scope": "Namespaced",
            "names": {"kind": "Database", "plural": "databases", "singular": "database", "listKind": "DatabaseList"},
            "versions": [{
                "name": "v1", "served": true, "storage": true,
                "schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": {
                    "type": "object",
                    "properties": {
                        "size": {"type": "integer", "format": "int32"},
                        "address": {"type": "string", "maxLength": 40},
                    },
                    "x-kubernetes-validations": [{"rule": "!has(self.address) || isIP(self.address)"}],
                }}}},
            }],
        },
    });
    let object = |name: &str, spec: Value| json!({"apiVersion": "example.com/v1", "kind": "Database", "metadata": {"name": name}, "spec": spec});
    let big = object("big", json!({"size": 3_000_000_000_i64}));
    let small = object("small", json!({"size": 3, "address": "10.0.0.1"}));
    [
        write_file(&format!("upgrade_{name}_crd.json"), crd.to_string()),
        write_file(
            &format!("upgrade_{name}.yaml"),
            format!("{big}\n---\n{small}\n"),
        ),
    ]
}

#[track_caller]
fn upgrade(name: &str, versions: [&str; 2], flags: &[&str]) -> (ProgramOutput, [String; 2]) {
    let files = files(name);
    let [crd, objects] = &files;
    let [from, to] = versions;
    let args = [
        "upgrade",
        "--from",
        from,
        "--to",
        to,
        "--crd",
        crd,
        "--objects",
        objects,
    ];
    (run(args.iter().chain(flags)), files)
}

#[test]
fn a_newly_rejected_request_is_listed_below_its_cause() {
    let (output, [_, objects]) = upgrade("upgrade", ["1.35", "1.36"], &[]);
    assert_eq!((output.code, output.stderr.as_str()), (1, ""));
    assert_eq!(
        output.stdout,
        format!(
            "1.36: numbers are validated against the range of `int32` and `int64`\n  \
             source: apiextensions-apiserver, `pkg/apiserver/validation/formats.go`\n  \
             {objects}:1:84: Database \"default/big\"\n    \
             error after: <nil>: Invalid value: \"\": Checked value must be of type integer with format int32 in spec.size\n    \
             create: no error -> rejected, unrelated update: no error -> tolerated, update of all fields: no error -> rejected\n\n\
             1.35 -> 1.36: 1 breaking, 0 changed, 0 notices\n\
             checked: 1 CRD, 2 objects\naccepted requests are rejected\n"
        )
    );
}

#[test]
fn a_rollback_is_an_upgrade_to_an_older_version() {
    let (output, _) = upgrade("rollback", ["1.30", "1.29"], &["-o", "json"]);
    assert_eq!((output.code, output.stderr.as_str()), (1, ""));
    let report: Value = serde_json::from_str(&output.stdout).unwrap();
    let codes: Vec<&Value> = report["groups"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|group| &group["causes"][0]["code"])
        .collect();
    assert_eq!(codes, ["IpAndCidr"]);
    let findings = report["groups"][0]["findings"].as_array().unwrap();
    let crd_finding = &findings[0];
    assert_eq!(crd_finding["level"], "breaking");
    assert_eq!(
        crd_finding["changes"],
        json!([{"request": "unchanged update of the CRD", "before": "no error", "after": "rejected"}])
    );
    assert_eq!(report["summary"]["objects"], 2);
}

#[test]
fn equal_versions_differ_in_nothing() {
    let (output, _) = upgrade("equal", ["1.36", "v1.36.2"], &[]);
    assert_eq!((output.code, output.stderr.as_str()), (0, ""));
    assert_eq!(
        output.stdout,
        "1.36 -> 1.36: 0 breaking, 0 changed, 0 notices\n\
         checked: 1 CRD, 2 objects\nno accepted request is rejected\n"
    );
}

#[test]
fn sarif_has_a_rule_for_each_cause() {
    let (output, [_, objects]) = upgrade("sarif", ["1.35", "1.36"], &["-o", "sarif"]);
    assert_eq!((output.code, output.stderr.as_str()), (1, ""));
    let log: Value = serde_json::from_str(&output.stdout).unwrap();
    let run = &log["runs"][0];
    assert_eq!(run["tool"]["driver"]["rules"][0]["id"], "NumericRanges");
    let result = &run["results"][0];
    assert_eq!(
        (&result["level"], &result["ruleIndex"]),
        (&json!("error"), &json!(0))
    );
    let uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].as_str();
    assert_eq!(uri, Some(format!("file://{objects}").as_str()));
}

#[test]
fn notices_are_counted_and_listed_on_request() {
    let [crd, _] = files("notices");
    let invalid = json!({
        "apiVersion": "example.com/v1", "kind": "Database", "metadata": {"name": "a"},
        "spec": {"address": "x"},
    });
    let objects = write_file("notices_invalid.json", invalid.to_string());
    let args = [
        "upgrade",
        "--from",
        "1.34",
        "--to",
        "1.35",
        "--crd",
        &crd,
        "--objects",
        &objects,
    ];
    let output = run(args);
    let count = "1.34 -> 1.35: 0 breaking, 0 changed, 1 notice (--all lists them)\n";
    assert!(output.stdout.starts_with(count), "{}", output.stdout);
    let output = run(args.iter().chain(&["--all"]));
    let lines = "error before: spec: Invalid value: \"object\": failed rule: !has(self.address) || isIP(self.address)\n    \
                 error after: spec: Invalid value: failed rule: ";
    assert!(output.stdout.contains(lines), "{}", output.stdout);
    assert_eq!(output.code, 0);
}
