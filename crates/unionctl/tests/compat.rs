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
        "Backup v1 -> v1\n  no union or enum changed\n  compared: 20 test objects of 1 union and 0 enums; for other changes, see `unionctl tighten`\n0 breaking, 0 notices\n"
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
  compared: 8 test objects of 1 union and 0 enums; for other changes, see `unionctl tighten`
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

/// Writes a CRD with these schemas of the fields of `spec` to a file, and returns its path.
fn crd_with_fields(name: &str, fields: &Value) -> String {
    let spec = json!({"type": "object", "properties": fields});
    let schema = json!({"type": "object", "properties": {"spec": spec}});
    let crd = json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "things.example.com"},
        "spec": {
            "group": "example.com",
            "names": {"kind": "Thing", "plural": "things"},
            "versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": schema}}],
        },
    });
    write_file(name, crd.to_string())
}

#[test]
fn a_removed_value_of_an_enum_is_breaking() {
    let crd = |name: &str, values: &[&str]| {
        crd_with_fields(name, &json!({"mode": {"type": "string", "enum": values}}))
    };
    let old = crd("compat_enum_old.json", &["Fast", "Slow"]);
    let new = crd("compat_enum_new.json", &["Fast"]);
    let output = compat(&old, &new, &[]);
    assert_eq!((output.code, output.stderr.as_str()), (1, ""));
    assert_eq!(
        output.stdout,
        "Thing v1 -> v1\n  \
         breaking: spec.mode: the value \"Slow\" was removed (value-removed)\n    \
         value: \"Slow\"\n    \
         before: accepted\n    \
         after: rejected: spec.mode: Unsupported value: \"Slow\": supported values: \"Fast\"\n    \
         stored objects, with a change of another field: tolerated, because the stored object has the same error: spec.mode: Unsupported value: \"Slow\": supported values: \"Fast\"\n    \
         old clients that write the object: rejected: spec.mode: Unsupported value: \"Slow\": supported values: \"Fast\"\n    \
         new clients that read the object and write it back: tolerated, because the stored object has the same error: spec.mode: Unsupported value: \"Slow\": supported values: \"Fast\"\n    \
         remedy: keep \"Slow\" in the enum until no object has it; reject new uses with a rule that reads `oldSelf`\n  \
         compared: 21 test objects of 0 unions and 1 enum; for other changes, see `unionctl tighten`\n\
         1 breaking, 0 notices\n"
    );
    let output = compat(&new, &old, &["--strict"]);
    assert_eq!(output.code, 1);
    assert!(
        output
            .stdout
            .contains("notice: spec.mode: the value \"Slow\" was added"),
        "{output:?}"
    );
    assert_eq!(compat(&new, &old, &[]).code, 0);
    assert_eq!(
        compat(&old, &new, &["-o", "json"]).json()["comparisons"][0]["enums"],
        1
    );
}

/// The output names the command for changes that are not compared.
#[test]
fn a_comparison_without_findings_states_what_was_compared() {
    let mode = json!({"type": "string", "enum": ["Fast"]});
    let text = |max_length: u64| json!({"type": "string", "maxLength": max_length});
    for (name, old, new, expected) in [
        (
            "a",
            json!({"text": text(9)}),
            json!({"text": text(1)}),
            "  no unions and no enums found; for other changes, see `unionctl tighten`\n",
        ),
        (
            "b",
            json!({"text": text(9), "mode": mode}),
            json!({"text": text(1), "mode": mode}),
            "  no union or enum changed\n  compared: 0 test objects of 0 unions and 1 enum; for other changes, see `unionctl tighten`\n",
        ),
    ] {
        let [old, new] = [("old", old), ("new", new)].map(|(side, fields)| {
            crd_with_fields(&format!("compat_other_{name}_{side}.json"), &fields)
        });
        let output = compat(&old, &new, &["--strict"]);
        assert_eq!((output.code, output.stderr.as_str()), (0, ""));
        assert_eq!(
            output.stdout,
            format!("Thing v1 -> v1\n{expected}0 breaking, 0 notices\n")
        );
    }
}
