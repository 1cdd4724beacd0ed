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
            json!({"type": "Volume", "volume": {"claim": "example"}}),
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
        "Backup v1 -> v1\n  no union or enum changed\n  compared: 20 test objects of 1 union and 0 enums; no other difference; for stored objects, see `unionctl tighten`\n0 breaking, 0 notices\n"
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
  compared: 8 test objects of 1 union and 0 enums; 60 test objects for 1 difference of the schemas; for stored objects, see `unionctl tighten`
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
    let places = format!("{old}:1, {new}:1");
    assert_eq!(
        output.stdout.replace(&places, "old.json:1, new.json:1"),
        "Thing v1 -> v1\n  \
         breaking: spec.mode: the value \"Slow\" was removed (value-removed)\n    \
         value: \"Slow\"\n    \
         before: accepted\n    \
         after: rejected: spec.mode: Unsupported value: \"Slow\": supported values: \"Fast\"\n    \
         stored objects, with a change of another field: tolerated, because the stored object has the same error: spec.mode: Unsupported value: \"Slow\": supported values: \"Fast\"\n    \
         old clients that write the object: rejected: spec.mode: Unsupported value: \"Slow\": supported values: \"Fast\"\n    \
         new clients that read the object and write it back: tolerated, because the stored object has the same error: spec.mode: Unsupported value: \"Slow\": supported values: \"Fast\"\n    \
         remedy: keep \"Slow\" in the enum until no object has it; reject new uses with a rule that reads `oldSelf`\n    \
         at: old.json:1, new.json:1\n  \
         compared: 32 test objects of 0 unions and 1 enum; 20 test objects for 1 difference of the schemas; for stored objects, see `unionctl tighten`\n\
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

/// Changes other than those of unions and enums are findings with objects, too.
#[test]
fn a_tightened_bound_is_proven_by_an_object() {
    let text = |max_length: u64| json!({"text": {"type": "string", "maxLength": max_length}});
    let old = crd_with_fields("compat_other_old.json", &text(9));
    let new = crd_with_fields("compat_other_new.json", &text(1));
    let output = compat(&old, &new, &[]);
    assert_eq!((output.code, output.stderr.as_str()), (1, ""));
    for expected in [
        "tolerated: spec.text: `maxLength` was 9, and is now 1 (max-length-tightened)\n",
        "object: {\"spec\":{\"text\":\"aa\"}}\n",
        "after: rejected: spec.text: Too long: may not be more than 1 byte\n",
        "0 breaking, 0 notices, 1 tolerated on updates\n",
    ] {
        assert!(output.stdout.contains(expected), "{expected}{output:?}");
    }
    // Updates of stored objects are tolerated.
    assert_eq!(compat(&old, &new, &["--level", "breaking"]).code, 0);
    // The old bound accepts less: a notice.
    assert_eq!(compat(&new, &old, &[]).code, 0);
    assert_eq!(compat(&new, &old, &["--strict"]).code, 1);
    assert_eq!(compat(&new, &old, &["--level", "notice"]).code, 1);
    let json = compat(&old, &new, &["-o", "json"]).json();
    let finding = &json["comparisons"][0]["changes"]["findings"][0];
    assert_eq!(
        (&finding["code"], &json["tolerated"]),
        (&json!("max-length-tightened"), &json!(1))
    );
}

/// The rules require another field with the removed value of a union, and the pattern loses digits.
#[test]
fn a_value_with_a_required_field_and_a_range_of_a_pattern_are_found() {
    let fields = |values: &[&str], pattern: &str| {
        let source = json!({
            "type": "object",
            "required": ["type"],
            "properties": {
                "type": {"type": "string", "enum": values},
                "a": {"type": "object"},
                "name": {"type": "string"},
            },
            "x-kubernetes-validations": [
                {"rule": "self.type == 'A' ? has(self.a) : !has(self.a)"},
                {"rule": "self.type != 'B' || has(self.name)"},
            ],
        });
        json!({"source": source, "text": {"type": "string", "pattern": pattern}})
    };
    let old = fields(&["A", "B"], "^[a-z0-9]+$");
    let new = fields(&["A"], "^[a-z]+$");
    let old = crd_with_fields("compat_required_field_old.json", &old);
    let new = crd_with_fields("compat_required_field_new.json", &new);
    let output = compat(&old, &new, &[]);
    assert_eq!((output.code, output.stderr.as_str()), (1, ""));
    for expected in [
        "breaking: spec.source: the value \"B\" was removed (value-removed)\n",
        "object: {\"name\":\"example\",\"type\":\"B\"}\n",
        "(pattern-tightened)\n",
        "object: {\"spec\":{\"text\":\"0\"}}\n",
        "1 breaking, 0 notices, 1 tolerated on updates\n",
    ] {
        assert!(output.stdout.contains(expected), "{expected}{output:?}");
    }
    assert!(
        !output.stdout.contains("the same for every object"),
        "{output:?}"
    );
}

#[test]
fn accepted_findings_do_not_count() {
    let text = |max_length: u64| json!({"text": {"type": "string", "maxLength": max_length}});
    let old = crd_with_fields("compat_accepted_old.json", &text(9));
    let new = crd_with_fields("compat_accepted_new.json", &text(1));
    let config = |name: &str, path: &str, reason: &str| {
        let entry = json!({"code": "max-length-tightened", "path": path, "reason": reason});
        write_file(name, json!({"accepted": [entry]}).to_string())
    };
    let accepted = config("compat_accepted.json", "spec.text", "nobody has long texts");
    let output = compat(&old, &new, &["--config", &accepted]);
    assert_eq!((output.code, output.stderr.as_str()), (0, ""));
    let expected = "accepted by --config: spec.text: `maxLength` was 9, and is now 1 (max-length-tightened): nobody has long texts\n";
    assert!(output.stdout.contains(expected), "{output:?}");

    let other = config("compat_accepted_other.json", "spec.other", "a reason");
    let output = compat(&old, &new, &["--config", &other]);
    assert_eq!(output.code, 1);
    assert!(
        output
            .stderr
            .contains("--config accepts max-length-tightened at `spec.other`"),
        "{output:?}"
    );

    let without_reason = config("compat_accepted_reason.json", "spec.text", "");
    let output = compat(&old, &new, &["--config", &without_reason]);
    assert!(
        output
            .error_message()
            .contains("is accepted without a `reason`"),
        "{output:?}"
    );
}

/// Returns two CRDs whose rules and patterns begin alike, for 200 characters.
fn crds_with_similar_changes() -> [String; 2] {
    let long = "a".repeat(200);
    let rule = |end: &str| json!({"rule": format!("self != '{long}{end}'")});
    let field =
        |rules: &[Value]| json!({"text": {"type": "string", "x-kubernetes-validations": rules}});
    let fields = [field(&[]), field(&[rule("x"), rule("y")])];
    [
        crd_with_fields("compat_similar_old.json", &fields[0]),
        crd_with_fields("compat_similar_new.json", &fields[1]),
    ]
}

#[test]
fn fingerprints_do_not_depend_on_shortened_texts() {
    let [old, new] = crds_with_similar_changes();
    let log = compat(&old, &new, &["-o", "sarif"]).json();
    let results = log["runs"][0]["results"].as_array().unwrap();
    let fingerprints: Vec<&str> = results
        .iter()
        .map(|result| {
            result["partialFingerprints"]["unionctl/v1"]
                .as_str()
                .unwrap()
        })
        .collect();
    let [first, second] = &*fingerprints else {
        panic!("{results:?}")
    };
    assert_ne!(first, second);
    let place = "rule-added|things.example.com|Thing v1 -> v1|/properties/spec/properties/text|";
    assert!(first.starts_with(place), "{first}");
    // The hash is the same in each release.
    assert_eq!(
        &fingerprints,
        &SIMILAR_FINGERPRINTS.map(|hash| format!("{place}{hash}"))
    );
}

const SIMILAR_FINGERPRINTS: [&str; 2] = ["05ed57d33714f8bc", "cedda4fdeef9c035"];

/// The places, codes and texts of findings and of unproven differences have keys of their own.
#[test]
fn json_has_structured_findings_and_reasons() {
    let field = |keywords: Value| {
        let mut field = json!({"type": "string", "pattern": "^a?$"});
        for (name, value) in keywords.as_object().unwrap() {
            field[name] = value.clone();
        }
        json!({"text": field})
    };
    let old = crd_with_fields("compat_json_old.json", &field(json!({"maxLength": 3})));
    let new = crd_with_fields("compat_json_new.json", &field(json!({"maxLength": 2})));
    let json = compat(&old, &new, &["-o", "json"]).json();
    let comparison = &json["comparisons"][0];
    assert_eq!(comparison["crd"], "things.example.com");
    let unproven = &comparison["changes"]["unproven"][0];
    let pointer = "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/text";
    for (key, expected) in [
        ("path", "spec.text"),
        ("old_pointer", pointer),
        ("new_pointer", pointer),
        ("keyword", "maxLength"),
        ("reason", "same-answers"),
    ] {
        assert_eq!(unproven[key], expected, "{unproven}");
    }
    let text = unproven["text"].as_str().unwrap();
    assert!(
        text.contains("the same for every object that was tried"),
        "{text}"
    );
    assert_eq!(comparison["changes"]["untried"], json!([]));

    let unlimited = crd_with_fields(
        "compat_json_unlimited.json",
        &field(json!({"maxLength": 0})),
    );
    let json = compat(&old, &unlimited, &["-o", "json"]).json();
    let finding = &json["comparisons"][0]["changes"]["findings"][0];
    assert_eq!(finding["keyword"], "maxLength");
    assert_eq!(finding["description"], "`maxLength` was 3, and is now 0");

    let mut renamed: Value = serde_json::from_str(&std::fs::read_to_string(&old).unwrap()).unwrap();
    renamed["spec"]["names"]["singular"] = json!("other");
    let renamed = write_file("compat_json_renamed.json", renamed.to_string());
    let json = compat(&old, &renamed, &["-o", "json"]).json();
    let outside = &json["outside_schemas"][0];
    assert_eq!(outside["crd"], "things.example.com");
    assert_eq!(outside["findings"][0]["code"], "singular-changed");
}

/// An entry that accepts no finding of a CRD is reported only if the CRD was compared.
#[test]
fn an_entry_is_unused_only_if_its_crd_was_compared() {
    let text = |max_length: u64| json!({"text": {"type": "string", "maxLength": max_length}});
    let old = crd_with_fields("compat_unused_old.json", &text(9));
    let new = crd_with_fields("compat_unused_new.json", &text(1));
    let config = |name: &str, crd: Option<&str>| {
        let mut entry = json!({"code": "default-changed", "path": "spec.a", "reason": "a reason"});
        if let Some(crd) = crd {
            entry["crd"] = json!(crd);
        }
        write_file(name, json!({"accepted": [entry]}).to_string())
    };
    let every_crd = config("compat_unused_every.json", None);
    let compared = config("compat_unused_compared.json", Some("things.example.com"));
    let other = config("compat_unused_other.json", Some("others.example.com"));
    for (config, is_reported) in [(&every_crd, true), (&compared, true), (&other, false)] {
        let output = compat(&old, &new, &["--config", config]);
        let note = "--config accepts default-changed at `spec.a`";
        assert_eq!(output.stderr.contains(note), is_reported, "{output:?}");
        // Without the old CRD, only the served versions are compared.
        let output = run(["compat", "--crd", &new, "--config", config]);
        assert_eq!(output.stderr, "", "{output:?}");
    }
}

/// Writes a CRD with a version for each name, all with the same values of an enum and the same
/// maximum, and returns its path.
fn crd_with_equal_versions(name: &str, versions: &[&str], values: &[&str], maximum: u64) -> String {
    let versions = versions.iter().enumerate().map(|(index, version)| {
        let fields = json!({
            "mode": {"type": "string", "enum": values},
            "size": {"type": "integer", "maximum": maximum},
        });
        let spec = json!({"type": "object", "properties": fields});
        let schema = json!({"type": "object", "properties": {"spec": spec}});
        json!({
            "name": version, "served": true, "storage": index == 0,
            "schema": {"openAPIV3Schema": schema},
        })
    });
    let crd = json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "things.example.com"},
        "spec": {
            "group": "example.com",
            "names": {"kind": "Thing", "plural": "things"},
            "versions": versions.collect::<Vec<_>>(),
        },
    });
    write_file(name, crd.to_string())
}

/// Both new versions are compared with the same old version, and have the same schema.
#[test]
fn versions_with_the_same_schemas_do_not_repeat_findings() {
    let old = crd_with_equal_versions("compat_same_old.json", &["v1alpha1"], &["A", "B"], 9);
    let versions = ["v1alpha1", "v1", "v1beta1"];
    let new = crd_with_equal_versions("compat_same_new.json", &versions, &["A"], 5);
    let output = compat(&old, &new, &[]);
    let repeated = "Thing v1alpha1 -> v1: the same schemas as v1alpha1 -> v1alpha1
Thing v1alpha1 -> v1beta1: the same schemas as v1alpha1 -> v1alpha1
1 breaking, 0 notices, 1 tolerated on updates
";
    assert!(output.stdout.ends_with(repeated), "{output:?}");
    for code in ["(value-removed)", "(maximum-tightened)"] {
        assert_eq!(output.stdout.matches(code).count(), 1, "{output:?}");
    }

    let json = compat(&old, &new, &["-o", "json"]).json();
    assert_eq!(
        (&json["breaking"], &json["tolerated"]),
        (&json!(1), &json!(1))
    );
    let comparisons = json["comparisons"].as_array().unwrap();
    let same_as: Vec<&Value> = comparisons
        .iter()
        .map(|comparison| &comparison["changes"]["same_as"])
        .collect();
    let same = json!({"old": "v1alpha1", "new": "v1alpha1", "reversed": false});
    assert_eq!(same_as, [&Value::Null, &same, &same]);
    assert_eq!(comparisons[1]["findings"], json!([]));

    let log = compat(&old, &new, &["-o", "sarif"]).json();
    let results = log["runs"][0]["results"].as_array().unwrap();
    assert_eq!(results.len(), 2, "{results:?}");

    // A finding that is accepted is listed once, too.
    let entry = json!({"code": "value-removed", "path": "spec.mode", "reason": "nobody uses B"});
    let config = json!({"accepted": [entry]}).to_string();
    let config = write_file("compat_same_accepted.json", config);
    let output = compat(&old, &new, &["--config", &config]);
    assert_eq!(
        output.stdout.matches("accepted by --config").count(),
        1,
        "{output:?}"
    );
}

/// The version was not served, so the new version is compared as a new one, also by its enums.
#[test]
fn a_version_that_was_not_served_has_no_clients() {
    let versions = ["v1", "v1beta1"];
    let old = crd_with_equal_versions("compat_unserved_old.json", &versions, &["A", "B"], 9);
    let new = crd_with_equal_versions("compat_unserved_new.json", &versions, &["A"], 9);
    let mut unserved: Value =
        serde_json::from_str(&std::fs::read_to_string(&old).unwrap()).unwrap();
    unserved["spec"]["versions"][1]["served"] = json!(false);
    let unserved = write_file("compat_unserved.json", unserved.to_string());
    for (old, pair) in [
        (
            &old,
            "Thing v1beta1 -> v1beta1: the same schemas as v1 -> v1",
        ),
        (
            &unserved,
            "Thing v1 -> v1beta1: the same schemas as v1 -> v1",
        ),
    ] {
        let output = compat(old, &new, &[]);
        assert!(output.stdout.contains(pair), "{output:?}");
        let findings = output.stdout.matches("(value-removed)").count();
        assert_eq!(findings, 1, "{output:?}");
    }
}

/// Findings between served versions have both lines in the new file.
#[test]
fn findings_about_served_versions_have_lines_of_one_file() {
    let version = |name: &str, maximum: u64, values: &str| {
        format!(
            "  - name: {name}\n    served: true\n    storage: {}\n    schema:\n      openAPIV3Schema:\n        \
             type: object\n        properties:\n          spec:\n            type: object\n            properties:\n              \
             size: {{type: integer, maximum: {maximum}}}\n              mode: {{type: string, enum: [{values}]}}\n",
            name == "v1"
        )
    };
    let crd = |name: &str, versions: &[String]| {
        let head = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n\
                    metadata: {name: things.example.com}\nspec:\n  group: example.com\n  scope: Namespaced\n  \
                    names: {kind: Thing, plural: things, singular: thing, listKind: ThingList}\n  versions:\n";
        write_file(name, format!("{head}{}", versions.concat()))
    };
    let v1 = version("v1", 5, "A, B");
    let old = crd("compat_places_old.yaml", std::slice::from_ref(&v1));
    let new = crd("compat_places_new.yaml", &[v1, version("v2", 4, "A")]);
    let output = compat(&old, &new, &[]);
    let (_, served) = output.stdout.split_once("served together").unwrap();
    for [old_line, new_line] in [[19, 31], [20, 32]] {
        let places = format!("at: {new}:{old_line}, {new}:{new_line}\n");
        assert!(served.contains(&places), "{places}{output:?}");
    }
    assert!(!served.contains(&old), "{output:?}");
    let json = compat(&old, &new, &["-o", "json"]).json();
    let places = &json["comparisons"][2]["findings"][0]["places"];
    assert_eq!(*places, json!([format!("{new}:20"), format!("{new}:32")]));
}

/// The message of the finding comes first, although each such object has another error.
#[test]
fn the_printed_error_is_that_of_the_finding() {
    let old = json!({"size": {"type": "integer"}});
    let old = crd_with_fields("compat_first_old.json", &old);
    let new = json!({"size": {"type": "integer", "enum": [5, 6], "minimum": 5}});
    let new = crd_with_fields("compat_first_new.json", &new);
    let output = compat(&old, &new, &[]);
    let message = "spec.size: Invalid value: 0: spec.size in body should be greater than or equal to 5 (and 1 more)\n";
    for expected in [
        format!("after: rejected: {message}"),
        format!("stored objects, with a change of another field: tolerated: {message}"),
        format!("stored objects, with a change to this value: rejected: {message}"),
    ] {
        assert!(output.stdout.contains(&expected), "{expected}{output:?}");
    }
    let log = compat(&old, &new, &["-o", "sarif"]).json();
    let results = log["runs"][0]["results"].as_array().unwrap();
    let expected = format!("\nafter: rejected: {message}");
    let mut texts = results.iter().map(|result| &result["message"]["text"]);
    assert!(
        texts.any(|text| text.as_str().unwrap().contains(&expected)),
        "{results:?}"
    );
}

/// A rule that reads the old value does not affect creates.
#[test]
fn a_rule_about_the_old_value_affects_updates() {
    let mode = |rules: Value| json!({"mode": {"type": "string", "enum": ["A", "B"], "x-kubernetes-validations": rules}});
    let old = crd_with_fields("compat_immutable_old.json", &mode(json!([])));
    let rule = json!([{"rule": "self == oldSelf", "message": "mode is immutable"}]);
    let new = crd_with_fields("compat_immutable_new.json", &mode(rule));
    let output = compat(&old, &new, &[]);
    let expected = r#"  breaking: spec.mode: the rule `self == oldSelf` was added (rule-added)
    stored object: {"spec":{"mode":"B"}}
    object: {"spec":{"mode":"A"}}
    before: accepted
    after: rejected: spec.mode: Invalid value: "A": mode is immutable
    stored objects, with a change of another field: accepted
    affected: updates that change the stored value as shown; creates, and updates that keep the value, are not affected
    remedy: allow the change with a condition of the rule, or add the rule in a new version
"#;
    assert!(output.stdout.contains(expected), "{}", output.stdout);
}
