//! The pairs of versions that are compared, and the versions without clients.

use crd_compat::{CrdReport, compare_crds, compare_served_versions};
use serde_json::{Value, json};

use crate::support::crd_with;

/// A version: the name, true if it is served, and the maximum of a number.
type Version = (&'static str, bool, u64);

/// Returns a CRD with these versions. The first version is the storage version.
fn crd(versions: &[Version]) -> Value {
    let mut crd = crd_with(&json!({"type": "object"}), false);
    let versions = versions
        .iter()
        .enumerate()
        .map(|(index, (name, is_served, maximum))| {
            let number = json!({"type": "integer", "maximum": maximum});
            let spec = json!({"type": "object", "properties": {"f": number}});
            let schema = json!({"type": "object", "properties": {"spec": spec}});
            json!({
                "name": name, "served": is_served, "storage": index == 0,
                "schema": {"openAPIV3Schema": schema},
            })
        });
    crd["spec"]["versions"] = versions.collect();
    crd
}

/// Returns a line for each pair of versions, with the number of findings.
fn pairs(report: &CrdReport) -> Vec<String> {
    let pairs = report.versions.iter().map(|version| {
        let together = if version.is_served_together {
            " together"
        } else {
            ""
        };
        let same = version.same_as.as_ref();
        let same = same.map_or(String::new(), |same| format!(", {same}"));
        let count = version.findings.len();
        let known_count = version.known_findings.len();
        format!(
            "{} -> {}{together}: {count} {known_count}{same}",
            version.old, version.new
        )
    });
    pairs.collect()
}

#[test]
fn versions_with_the_same_schemas_are_compared_once() {
    let old = crd(&[("v1alpha1", true, 9)]);
    let new = crd(&[("v1", true, 5), ("v1beta1", true, 5)]);
    let report = compare_crds(&old, &new).unwrap();
    let expected = [
        "v1alpha1 -> v1: 1 0",
        "v1alpha1 -> v1beta1: 0 0, the same schemas as v1alpha1 -> v1",
        "v1 -> v1beta1 together: 0 0",
    ];
    assert_eq!(pairs(&report), expected, "{report}");
    let text = report.to_string();
    assert!(
        text.contains("v1alpha1 -> v1beta1: the same schemas as v1alpha1 -> v1\n"),
        "{text}"
    );
    assert_eq!(
        json!(report)["versions"][1]["same_as"],
        json!({"old": "v1alpha1", "new": "v1", "reversed": false})
    );

    // Another subresource, another schema and a rule about the version are other pairs.
    let mut with_status = new.clone();
    with_status["spec"]["versions"][1]["subresources"] = json!({"status": {}});
    let mut with_rule = new.clone();
    for index in 0..2 {
        let version = &mut with_rule["spec"]["versions"][index];
        version["schema"]["openAPIV3Schema"]["x-kubernetes-validations"] =
            json!([{"rule": "self.apiVersion != 'example.com/v1'"}]);
    }
    let other_bound = crd(&[("v1", true, 5), ("v1beta1", true, 6)]);
    for new in [with_status, with_rule, other_bound] {
        let report = compare_crds(&old, &new).unwrap();
        assert!(
            report.versions.iter().all(|pair| pair.same_as.is_none()),
            "{report}"
        );
    }
}

/// Findings between served versions that the old CRD has too are not counted, so a pair is the same
/// only if the old CRD has the same pair, too.
#[test]
fn served_pairs_are_the_same_if_the_old_pairs_are() {
    let new = crd(&[("v1", true, 5), ("v1beta1", true, 5), ("v1alpha1", true, 9)]);
    let reversed = crd(&[("v1", true, 5), ("v1alpha1", true, 9), ("v1beta1", true, 5)]);
    let report = compare_served_versions(&reversed).unwrap();
    let expected = [
        "v1 -> v1alpha1 together: 1 0",
        "v1 -> v1beta1 together: 0 0",
        "v1alpha1 -> v1beta1 together: 0 0, the same schemas as v1 -> v1alpha1, in the other order",
    ];
    assert_eq!(pairs(&report), expected, "{report}");
    // An upgrade in the other order is another change.
    let report = compare_crds(
        &crd(&[("v1", true, 5), ("v2", true, 9)]),
        &crd(&[("v1", true, 9), ("v2", true, 5)]),
    );
    let report = report.unwrap();
    assert_eq!(report.versions[1].same_as, None, "{report}");

    let report = compare_served_versions(&new).unwrap();
    let expected = [
        "v1 -> v1beta1 together: 0 0",
        "v1 -> v1alpha1 together: 1 0",
        "v1beta1 -> v1alpha1 together: 0 0, the same schemas as v1 -> v1alpha1",
    ];
    assert_eq!(pairs(&report), expected, "{report}");
    for (old, expected) in [
        (
            new.clone(),
            "v1beta1 -> v1alpha1 together: 0 0, the same schemas as v1 -> v1alpha1",
        ),
        // The old v1beta1 did not differ from v1alpha1, so the finding is new.
        (
            crd(&[("v1", true, 5), ("v1beta1", true, 9), ("v1alpha1", true, 9)]),
            "v1beta1 -> v1alpha1 together: 1 0",
        ),
    ] {
        let report = compare_crds(&old, &new).unwrap();
        assert_eq!(
            pairs(&report).last().map(String::as_str),
            Some(expected),
            "{report}"
        );
    }
}

/// A version that was not served had no clients: the new version is compared with the version in
/// which objects are stored.
#[test]
fn a_version_that_was_not_served_is_compared_as_a_new_version() {
    for (old, new, expected) in [
        (
            crd(&[("v1", true, 9), ("v1beta1", false, 7)]),
            crd(&[("v1", true, 9), ("v1beta1", true, 5)]),
            &[
                "v1 -> v1: 0 0",
                "v1 -> v1beta1: 1 0",
                "v1 -> v1beta1 together: 1 0",
            ][..],
        ),
        // Objects are stored in the version, although it was not served.
        (
            crd(&[("v1", false, 9)]),
            crd(&[("v1", true, 5)]),
            &["v1 -> v1: 1 0"],
        ),
        (
            crd(&[("v1", true, 9), ("v1beta1", true, 9)]),
            crd(&[("v1", true, 9), ("v1beta1", false, 5)]),
            &["v1 -> v1: 0 0"],
        ),
    ] {
        let report = compare_crds(&old, &new).unwrap();
        assert_eq!(pairs(&report), expected, "{report}");
    }
}

/// Checks each change of a part of a version against the versions that are served: before and
/// after, only before, only after, and never.
#[test]
fn a_version_without_clients_has_no_findings() {
    let parts = [
        ("subresources", json!({"status": {}})),
        (
            "subresources",
            json!({"scale": {"specReplicasPath": ".spec.f", "statusReplicasPath": ".status.f"}}),
        ),
        ("selectableFields", json!([{"jsonPath": ".spec.f"}])),
        (
            "additionalPrinterColumns",
            json!([{"name": "F", "type": "integer", "jsonPath": ".spec.f"}]),
        ),
        ("deprecated", json!(true)),
    ];
    for (part, value) in parts {
        for is_added in [true, false] {
            for served in [[true, true], [true, false], [false, true], [false, false]] {
                let [mut old, mut new] =
                    served.map(|is_served| crd(&[("v1", true, 9), ("v1beta1", is_served, 8)]));
                let changed = if is_added { &mut new } else { &mut old };
                changed["spec"]["versions"][1][part] = value.clone();
                let report = compare_crds(&old, &new).unwrap();
                let codes: Vec<_> = report.findings.iter().map(|finding| finding.code).collect();
                let name = format!("{part} {is_added} {served:?}: {report}");
                match served {
                    // The end of a deprecation is not a finding.
                    [true, true] => {
                        assert_eq!(
                            codes.len(),
                            usize::from(is_added || part != "deprecated"),
                            "{name}"
                        );
                    }
                    [true, false] => assert_eq!(codes, ["version-not-served"], "{name}"),
                    [false, _] => assert!(codes.is_empty(), "{name}"),
                }
            }
        }
    }
}
