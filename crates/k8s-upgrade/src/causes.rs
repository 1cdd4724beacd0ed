//! Finds the features that cause a difference.

use crate::finding::Finding;
use crate::{Feature, KubeVersion};

/// Returns the features that may cause differences between two versions.
pub(crate) fn changed_features(older: KubeVersion, newer: KubeVersion) -> Vec<Feature> {
    // New rules have the libraries of the version before.
    let first = older.of_new_rules();
    let is_changed =
        |feature: &Feature| feature.since().minor() > first.minor() && feature.since() <= newer;
    Feature::ALL.iter().copied().filter(is_changed).collect()
}

/// Sets the causes of findings. `compare` returns the findings of a comparison with a newer server
/// that has some features of the older version.
pub(crate) fn explain(
    findings: &mut [Finding],
    features: &[Feature],
    mut compare: impl FnMut(&[Feature]) -> Vec<Finding>,
) {
    for index in 0..findings.len() {
        let Some(finding) = findings.get(index) else {
            return;
        };
        let count = count_same(finding, findings);
        let mut is_caused_by = |set: &[Feature]| count_same(finding, &compare(set)) < count;
        // Findings often have the causes of an earlier finding.
        let mut earlier_causes = findings.iter().take(index).map(|finding| &finding.causes);
        let causes = match earlier_causes.find(|causes| causes.len() == 1 && is_caused_by(causes)) {
            Some(causes) => causes.clone(),
            None if is_caused_by(features) => smallest_set(&[], features, &mut is_caused_by),
            None => Vec::new(),
        };
        if let Some(finding) = findings.get_mut(index) {
            finding.causes = causes;
        }
    }
}

/// Returns the number of findings about the same difference. The texts are not compared, because
/// another feature may change them.
fn count_same(finding: &Finding, findings: &[Finding]) -> usize {
    let is_same = |other: &&Finding| {
        let is_same_text = finding.changes.is_empty() || finding.path.as_str().is_empty();
        other.subject == finding.subject
            && other.path == finding.path
            && other.changes == finding.changes
            && (!is_same_text || (&other.before, &other.after) == (&finding.before, &finding.after))
    };
    findings.iter().filter(is_same).count()
}

/// Returns a smallest set of `candidates` that causes the difference together with `chosen`. The
/// candidates are halved, so that few sets are evaluated.
fn smallest_set(
    chosen: &[Feature],
    candidates: &[Feature],
    is_caused_by: &mut impl FnMut(&[Feature]) -> bool,
) -> Vec<Feature> {
    if !chosen.is_empty() && is_caused_by(chosen) {
        return Vec::new();
    }
    if candidates.len() <= 1 {
        return candidates.to_vec();
    }
    let (first, second) = candidates.split_at(candidates.len() / 2);
    let from_second = smallest_set(&[chosen, first].concat(), second, is_caused_by);
    let from_first = smallest_set(&[chosen, &from_second].concat(), first, is_caused_by);
    [from_first, from_second].concat()
}
