//! Random CRDs and objects between random versions.

use k8s_upgrade::{Finding, KubeVersion, Outcome, RequestChange};
use serde_json::json;
use union_random::Random;

use crate::causes::{RULES, fields, properties, rule_object, with_metadata};
use crate::inputs::{compare, crd};

#[test]
fn findings_have_causes_and_a_rollback_has_the_opposite_findings() {
    let versions: Vec<KubeVersion> = KubeVersion::all().collect();
    let fields = fields();
    let mut finding_count = 0;
    for seed in 1..=30 {
        let random = &mut Random::new(seed);
        let mut schema = json!({"type": "object", "properties": properties()});
        let rules = RULES.iter().filter(|_| random.chance(5));
        let rules: Vec<_> = rules.map(|(_, rule)| json!({"rule": rule})).collect();
        schema["x-kubernetes-validations"] = json!(rules);
        let mut object = rule_object();
        for (index, (feature, field, value)) in fields.iter().enumerate() {
            if random.chance(30) {
                let name = format!("f{index}");
                schema["properties"][&name] = field.clone();
                object[&name] = value.clone();
                object = with_metadata(*feature, object);
            }
        }
        let crd = crd(&schema);
        let (from, to) = (*random.pick(&versions), *random.pick(&versions));
        let findings = compare(from, to, &crd, &object);
        for finding in &findings {
            assert!(
                !finding.causes.is_empty(),
                "seed {seed}: {from} -> {to}: {finding:?}"
            );
        }
        let mut opposite: Vec<_> = compare(to, from, &crd, &object)
            .iter()
            .map(|finding| texts_and_changes(finding, true))
            .collect();
        let mut expected: Vec<_> = findings
            .iter()
            .map(|finding| texts_and_changes(finding, false))
            .collect();
        opposite.sort();
        expected.sort();
        assert_eq!(opposite, expected, "seed {seed}: {from} -> {to}");
        finding_count += findings.len();
    }
    assert!(finding_count > 100, "only {finding_count} findings");
}

/// Returns the texts and the changed outcomes of a finding, in the opposite direction on request.
fn texts_and_changes(finding: &Finding, is_opposite: bool) -> String {
    let ordered = |before: &Option<String>, after: &Option<String>| {
        let texts = (before.clone(), after.clone());
        if is_opposite {
            (texts.1, texts.0)
        } else {
            texts
        }
    };
    let outcomes = |change: &RequestChange| -> (Outcome, Outcome) {
        let outcomes = (change.before, change.after);
        if is_opposite {
            (outcomes.1, outcomes.0)
        } else {
            outcomes
        }
    };
    let changes: Vec<_> = finding
        .changes
        .iter()
        .map(|change| (change.request, outcomes(change)))
        .collect();
    format!(
        "{:?} {:?} {changes:?}",
        finding.subject,
        ordered(&finding.before, &finding.after)
    )
}
