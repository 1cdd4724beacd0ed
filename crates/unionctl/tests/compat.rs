//! Tests of `unionctl compat`.

use serde_json::{Value, json};

use crate::process::{ProgramOutput, file, run, sample};

#[track_caller]
fn compat(old: &str, new: &str, more: &[&str]) -> ProgramOutput {
    let args = ["compat", "--crd", old, "--crd-new", new];
    run(args.iter().chain(more))
}

#[test]
fn a_value_is_gone_and_another_one_there() {
    let ran = compat(
        &sample("crd.yaml"),
        &sample("crd_next.yaml"),
        &["-o", "json"],
    );
    assert_eq!((ran.code, ran.stderr.as_str()), (1, ""));
    let json = ran.json();
    assert_eq!(
        (&json["breaking"], &json["notices"]),
        (&json!(1), &json!(1))
    );
    let comparison = &json["comparisons"][0];
    assert_eq!(comparison["old"], "Backup v1");
    let findings = comparison["findings"].as_array().unwrap();
    let of = |finding: &Value| {
        let keys = ["code", "weight", "path"];
        let [code, weight, path] = keys.map(|key| finding[key].as_str().unwrap().to_owned());
        let fates = ["stored_objects", "old_clients", "new_clients"];
        let fates = fates.map(|key| finding[key]["fate"].as_str().unwrap().to_owned());
        (
            code,
            weight,
            path,
            fates.join(" "),
            finding["object"].clone(),
        )
    };
    let found: Vec<_> = findings.iter().map(of).collect();
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
    let expected = expected.map(|(code, weight, fates, object)| {
        let path = "spec.target".to_owned();
        (
            code.to_owned(),
            weight.to_owned(),
            path,
            fates.to_owned(),
            object,
        )
    });
    assert_eq!(found, expected);
    assert_eq!(findings[0]["before"]["union"]["answer"], "accepted");
    assert_eq!(findings[0]["after"]["server"]["answer"], "refused");
}

#[test]
fn nothing_changed() {
    let same = sample("crd.yaml");
    let ran = compat(&same, &same, &[]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    assert_eq!(
        ran.stdout,
        "Backup v1 -> v1\n  no changes in unions\n  compared: 20 test objects at 1 place\n0 breaking, 0 notices\n"
    );
}

/// Writes a CRD with these values to a file, and returns its path. Each version has the rule or
/// not.
fn crd(name: &str, values: &[&str], versions: &[(&str, bool)]) -> String {
    let versions: Vec<Value> = versions
        .iter()
        .enumerate()
        .map(|(number, (version, has_rule))| {
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
                "storage": number == 0,
                "schema": {"openAPIV3Schema": schema},
            })
        })
        .collect();
    let crd = json!({
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "things.example.com"},
        "spec": {"group": "example.com", "names": {"kind": "Thing"}, "versions": versions},
    });
    file(name, crd.to_string())
}

#[test]
fn a_notice_counts_where_it_is_asked_for() {
    let old = crd("compat_old.json", &["A", "B"], &[("v1", true)]);
    let new = crd("compat_new.json", &["A", "B", "C"], &[("v1", true)]);
    assert_eq!(compat(&old, &new, &[]).code, 0);
    let ran = compat(&old, &new, &["--strict"]);
    assert_eq!(ran.code, 1);
    assert!(
        ran.stdout
            .contains("notice: target: the value \"C\" was added (value-added)"),
        "{ran:?}"
    );
}

#[test]
fn versions_that_are_served_together() {
    let two = crd(
        "compat_two.json",
        &["A", "B"],
        &[("v1", true), ("v1beta1", false)],
    );
    let ran = run(["compat", "--crd", &two]);
    assert_eq!(ran.code, 1);
    assert!(
        ran.stdout
            .starts_with("served together: Thing v1 -> v1beta1\n"),
        "{ran:?}"
    );
    assert!(
        ran.stdout
            .contains("v1beta1 does not have a rule that v1 has (rule-missing)"),
        "{ran:?}"
    );

    let ran = compat(&two, &two, &["--strict"]);
    assert_eq!(ran.code, 0);
    let tail = "served together: Thing v1 -> v1beta1
  as before: target: v1beta1 does not have a rule that v1 has (rule-missing)
  compared: 8 test objects at 1 place
0 breaking, 0 notices, 1 as before
";
    assert!(ran.stdout.ends_with(tail), "{ran:?}");
    let json = compat(&two, &two, &["-o", "json"]).json();
    assert_eq!((&json["breaking"], &json["known"]), (&json!(0), &json!(1)));
    let known = &json["comparisons"][2]["known"][0];
    assert_eq!(known["code"], "rule-missing");

    let one = crd("compat_one.json", &["A", "B"], &[("v1", true)]);
    let ran = run(["compat", "--crd", &one]);
    assert_eq!(
        (ran.code, &*ran.stdout),
        (
            0,
            "found no two versions to compare\n0 breaking, 0 notices\n"
        )
    );
}

#[test]
fn what_cannot_be_compared() {
    let crd = sample("crd.yaml");
    let ran = compat(&crd, &sample("stored.yaml"), &[]);
    assert!(
        ran.problem()
            .contains("no CustomResourceDefinition found; pass a file with one to --crd-new"),
        "{ran:?}"
    );
    let ran = compat(&crd, &crd, &["-o", "sarif"]);
    assert!(
        ran.problem()
            .contains("-o sarif is supported only with `unions --list`"),
        "{ran:?}"
    );
    let empty = json!({"kind": "CustomResourceDefinition", "spec": {"versions": []}});
    let empty = file("compat_empty.json", empty.to_string());
    let ran = compat(&crd, &empty, &[]);
    assert!(
        ran.problem()
            .contains("/spec/versions: expected a list of versions"),
        "{ran:?}"
    );
}
