//! Tests of `unionctl compat`.

use serde_json::{Value, json};

use crate::process::{ProgramOutput, run, sample, write_file};

#[track_caller]
fn compat(old_crd: &str, new_crd: &str, flags: &[&str]) -> ProgramOutput {
    let args = ["compat", "--crd", old_crd, "--crd-new", new_crd];
    run(args.iter().chain(flags))
}

#[test]
fn a_removed_value_is_breaking_and_an_added_value_is_a_notice() {
    let output = compat(
        &sample("crd.yaml"),
        &sample("crd_next.yaml"),
        &["-o", "json"],
    );
    assert_eq!((output.code, output.stderr.as_str()), (1, ""));
    let json = output.json();
    assert_eq!(
        (&json["breaking"], &json["notices"]),
        (&json!(1), &json!(1))
    );
    let comparison = &json["comparisons"][0];
    assert_eq!(comparison["old"], "Backup v1");
    let findings = comparison["findings"].as_array().unwrap();
    let summarize = |finding: &Value| {
        let keys = ["code", "weight", "path"];
        let [code, weight, path] = keys.map(|key| finding[key].as_str().unwrap().to_owned());
        let outcomes = ["stored_objects", "old_clients", "new_clients"];
        let outcomes = outcomes.map(|key| finding[key]["fate"].as_str().unwrap().to_owned());
        (
            code,
            weight,
            path,
            outcomes.join(" "),
            finding["object"].clone(),
        )
    };
    let actual: Vec<_> = findings.iter().map(summarize).collect();
    let expected = [
        (
            "value-removed",
            "breaking",
            "lost refused lost",
            json!({"type": "Volume", "volume": {"claim": "x"}}),
        ),
        (
            "value-added",
            "notice",
            "impossible refused refused",
            json!({"type": "Tape", "tape": {}}),
        ),
    ];
    let expected = expected.map(|(code, weight, outcomes, object)| {
        let path = "spec.target".to_owned();
        (
            code.to_owned(),
            weight.to_owned(),
            path,
            outcomes.to_owned(),
            object,
        )
    });
    assert_eq!(actual, expected);
    assert_eq!(findings[0]["before"]["union"]["answer"], "accepted");
    assert_eq!(findings[0]["after"]["server"]["answer"], "refused");
}

#[test]
fn an_unchanged_crd_has_no_findings() {
    let crd = sample("crd.yaml");
    let output = compat(&crd, &crd, &[]);
    assert_eq!((output.code, output.stderr.as_str()), (0, ""));
    assert_eq!(
        output.stdout,
        "Backup v1 -> v1\n  no changes in unions\n  compared: 20 test objects at 1 place\n0 breaking, 0 notices\n"
    );
}

/// Writes a CRD with these discriminator values to a file, and returns its path. Each version has a
/// name, and true if its schema has a rule.
fn crd_file(name: &str, values: &[&str], versions: &[(&str, bool)]) -> String {
    let versions: Vec<Value> = versions
        .iter()
        .enumerate()
        .map(|(index, (version, has_rule))| {
            let mut target = json!({
                "type": "object",
                "properties": {
                    "type": {"type": "string", "enum": values},
                    "a": {"type": "object"},
                },
            });
            if *has_rule {
                let rule = "has(self.type) && self.type == 'A' ? has(self.a) : !has(self.a)";
                target["x-kubernetes-validations"] = json!([{"rule": rule}]);
            }
            let schema = json!({"type": "object", "properties": {"target": target}});
            json!({
                "name": version,
                "served": true,
                "storage": index == 0,
                "schema": {"openAPIV3Schema": schema},
            })
        })
        .collect();
    let crd = json!({
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "things.example.com"},
        "spec": {"group": "example.com", "names": {"kind": "Thing"}, "versions": versions},
    });
    write_file(name, crd.to_string())
}

#[test]
fn notices_are_rejected_only_if_strict() {
    let old_crd = crd_file("compat_old.json", &["A", "B"], &[("v1", true)]);
    let new_crd = crd_file("compat_new.json", &["A", "B", "C"], &[("v1", true)]);
    assert_eq!(compat(&old_crd, &new_crd, &[]).code, 0);
    let output = compat(&old_crd, &new_crd, &["--strict"]);
    assert_eq!(output.code, 1);
    assert!(
        output
            .stdout
            .contains("notice: target: the value \"C\" was added (value-added)"),
        "{output:?}"
    );
}

#[test]
fn versions_that_are_served_together_are_compared() {
    let crd_with_two_versions = crd_file(
        "compat_two.json",
        &["A", "B"],
        &[("v1", true), ("v1beta1", false)],
    );
    let output = run(["compat", "--crd", &crd_with_two_versions]);
    assert_eq!(output.code, 1);
    assert!(
        output
            .stdout
            .starts_with("served together: Thing v1 -> v1beta1\n"),
        "{output:?}"
    );
    assert!(
        output
            .stdout
            .contains("v1beta1 does not have a rule that v1 has (rule-missing)"),
        "{output:?}"
    );

    let output = compat(
        &crd_with_two_versions,
        &crd_with_two_versions,
        &["--strict"],
    );
    assert_eq!(output.code, 0);
    let expected_end = "served together: Thing v1 -> v1beta1
  as before: target: v1beta1 does not have a rule that v1 has (rule-missing)
  compared: 8 test objects at 1 place
0 breaking, 0 notices, 1 as before
";
    assert!(output.stdout.ends_with(expected_end), "{output:?}");
    let json = compat(
        &crd_with_two_versions,
        &crd_with_two_versions,
        &["-o", "json"],
    )
    .json();
    assert_eq!((&json["breaking"], &json["known"]), (&json!(0), &json!(1)));
    let known_finding = &json["comparisons"][2]["known"][0];
    assert_eq!(known_finding["code"], "rule-missing");

    let crd_with_one_version = crd_file("compat_one.json", &["A", "B"], &[("v1", true)]);
    let output = run(["compat", "--crd", &crd_with_one_version]);
    assert_eq!(
        (output.code, &*output.stdout),
        (
            0,
            "found no two versions to compare\n0 breaking, 0 notices\n"
        )
    );
}

#[test]
fn inputs_that_cannot_be_compared_are_errors() {
    let crd = sample("crd.yaml");
    let output = compat(&crd, &sample("stored.yaml"), &[]);
    assert!(
        output
            .error_message()
            .contains("no CustomResourceDefinition found; pass a file with one to --crd-new"),
        "{output:?}"
    );
    let output = compat(&crd, &crd, &["-o", "sarif"]);
    assert!(
        output
            .error_message()
            .contains("-o sarif is supported only with `unions --list`"),
        "{output:?}"
    );
    let crd_without_versions =
        json!({"kind": "CustomResourceDefinition", "spec": {"versions": []}});
    let crd_without_versions = write_file("compat_empty.json", crd_without_versions.to_string());
    let output = compat(&crd, &crd_without_versions, &[]);
    assert!(
        output
            .error_message()
            .contains("/spec/versions: expected a list of versions"),
        "{output:?}"
    );
}
