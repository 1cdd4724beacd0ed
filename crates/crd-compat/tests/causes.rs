//! The cause of an error, and the identity of a finding, do not depend on texts.

use crd_compat::{CrdReport, compare_crds};
use serde_json::{Value, json};

use crate::support::crd_with;

fn crd_with_field(field: &Value) -> Value {
    let spec = json!({"type": "object", "properties": {"f": field}});
    crd_with(
        &json!({"type": "object", "properties": {"spec": spec}}),
        false,
    )
}

/// Returns the codes of the findings, each with the `spec` of its object.
fn codes_and_specs(report: &CrdReport) -> Vec<(&'static str, Value)> {
    let findings = report.all_findings();
    let with_specs = findings.map(|finding| {
        let proof = finding.proof.as_ref();
        let spec = proof.map_or(Value::Null, |proof| proof.object["spec"].clone());
        (finding.code, spec)
    });
    with_specs.collect()
}

/// The author of a CRD can write the message of each keyword as the message of a rule.
#[test]
fn the_message_and_the_reason_of_a_rule_are_not_its_keyword() {
    let rules = [
        json!({"message": "spec.f in body should be at most 8 chars long"}),
        json!({"message": "spec.f in body should match '^a'"}),
        json!({"message": "must be of type integer"}),
        json!({"message": "may not be more than 8 bytes", "reason": "FieldValueForbidden"}),
        json!({"message": "properties", "reason": "FieldValueDuplicate"}),
        json!({"message": "", "reason": "FieldValueRequired"}),
        json!({"messageExpression": "'should be at most ' + self"}),
    ];
    for keywords in rules {
        let mut rule = keywords.clone();
        rule["rule"] = json!("self != 'bad'");
        if rule["message"] == "" {
            rule.as_object_mut().unwrap().remove("message");
        }
        let old = json!({"type": "string", "maxLength": 9, "pattern": "^[a-z]*$"});
        let mut new = json!({"type": "string", "maxLength": 8, "pattern": "^[a-y]*$"});
        new["x-kubernetes-validations"] = json!([rule]);
        let report = compare_crds(&crd_with_field(&old), &crd_with_field(&new)).unwrap();
        let found = codes_and_specs(&report);
        for expected in [
            ("rule-added", json!({"f": "bad"})),
            ("max-length-tightened", json!({"f": "aaaaaaaaa"})),
        ] {
            assert!(found.contains(&expected), "{rule}: {found:?}");
        }
        for (code, spec) in &found {
            let is_bad = *spec == json!({"f": "bad"});
            assert_eq!(is_bad, *code == "rule-added", "{rule}: {found:?}");
        }
    }
}

/// Each rule is told from the others by its position, although their messages are equal.
#[test]
fn rules_with_the_same_message_have_their_own_findings() {
    let rule = |text: &str| json!({"rule": text, "message": "the value is not allowed"});
    let new = json!({
        "type": "string",
        "x-kubernetes-validations": [rule("self != 'x'"), rule("self != 'y'"), rule("self != 'z'")],
    });
    let old = json!({"type": "string", "x-kubernetes-validations": [rule("self != 'y'")]});
    let report = compare_crds(&crd_with_field(&old), &crd_with_field(&new)).unwrap();
    let found: Vec<_> = report
        .all_findings()
        .map(|finding| {
            let object = &finding.proof.as_ref().unwrap().object;
            (finding.description.clone(), object["spec"]["f"].clone())
        })
        .collect();
    let expected = ["x", "z"].map(|value| {
        let description = format!("the rule `self != '{value}'` was added");
        (description, json!(value))
    });
    assert_eq!(found, expected, "{report}");
}

/// Returns a CRD that serves `v1` without a rule, and `v2` with a rule.
fn crd_with_two_versions(field: &Value) -> Value {
    let mut crd = crd_with_field(&json!({"type": "string"}));
    let mut version = crd_with_field(field)["spec"]["versions"][0].clone();
    version["name"] = json!("v2");
    version["storage"] = json!(false);
    crd["spec"]["versions"]
        .as_array_mut()
        .unwrap()
        .push(version);
    crd
}

/// Two values that begin alike are two findings, also if their descriptions are cut.
#[test]
fn a_finding_is_as_before_only_if_all_of_it_is() {
    let long = "a".repeat(300);
    let rule = |end: &str| {
        let rule = json!({"rule": format!("self != '{long}{end}'")});
        json!({"type": "string", "x-kubernetes-validations": [rule]})
    };
    let values = |end: &str| json!({"type": "string", "enum": [format!("{long}{end}")]});
    for field in [&rule as &dyn Fn(&str) -> Value, &values] {
        let served_together = |old: &str, new: &str| {
            let [old, new] = [old, new].map(|end| crd_with_two_versions(&field(end)));
            let report = compare_crds(&old, &new).unwrap();
            let mut versions = report.versions.into_iter();
            versions.find(|version| version.is_served_together).unwrap()
        };
        let unchanged = served_together("x", "x");
        assert!(!unchanged.known_findings.is_empty());
        assert_eq!(unchanged.findings, []);
        let changed = served_together("x", "y");
        assert!(!changed.findings.is_empty());
        assert_eq!(changed.known_findings, []);
    }
}
