//! Finds the features that cause a difference.

use std::collections::HashMap;

use k8s_crd_validation::{Feature, KubeVersion};

use crate::answer::rule_source;
use crate::finding::{Finding, Subject};

/// Returns the features that may cause differences between two versions.
pub(crate) fn changed_features(older: KubeVersion, newer: KubeVersion) -> Vec<Feature> {
    // New rules have the libraries of the version before.
    let first = older.of_new_rules();
    let is_changed =
        |feature: &Feature| feature.since().minor() > first.minor() && feature.since() <= newer;
    Feature::ALL.iter().copied().filter(is_changed).collect()
}

/// The position of the older version of Kubernetes: before the upgrade, or after the upgrade if the
/// upgrade is a downgrade.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OlderSide {
    Before,
    After,
}

impl OlderSide {
    /// Returns the messages of the older and of the newer version.
    fn texts(self, finding: &Finding) -> (Option<&str>, Option<&str>) {
        let (before, after) = (finding.before.as_deref(), finding.after.as_deref());
        match self {
            Self::Before => (before, after),
            Self::After => (after, before),
        }
    }

    /// Returns true if two findings are about the same difference. Only the newer version changes
    /// between the comparisons, so the messages of the older version identify a finding. If only
    /// the newer version has a message, only the rule in the message is compared.
    fn is_same(self, finding: &Finding, other: &Finding) -> bool {
        let (older_text, newer_text) = self.texts(finding);
        let (other_older_text, other_newer_text) = self.texts(other);
        let is_same_newer_text = match (older_text, finding.subject) {
            (Some(_), _) => true,
            (None, Subject::Error) => {
                newer_text.and_then(rule_source) == other_newer_text.and_then(rule_source)
            }
            (None, _) => newer_text == other_newer_text,
        };
        let has_main_change = finding
            .main_change()
            .is_none_or(|change| other.change_of(change.request).is_some());
        finding.subject == other.subject
            && finding.path == other.path
            && older_text == other_older_text
            && is_same_newer_text
            && has_main_change
    }
}

/// Sets the causes of findings. `compare` returns the findings of a comparison with a newer server
/// that has some features of the older version. `known_causes` are single causes of earlier
/// findings, which are tried first.
pub(crate) fn set_causes(
    findings: &mut [Finding],
    older_side: OlderSide,
    features: &[Feature],
    known_causes: &mut Vec<Feature>,
    mut compare: impl FnMut(&[Feature]) -> Vec<Finding>,
) {
    let mut compared: HashMap<Vec<Feature>, Vec<Finding>> = HashMap::new();
    for finding in findings {
        let mut is_caused_by = |set: &[Feature]| {
            let remaining = compared.entry(set.to_vec()).or_insert_with(|| compare(set));
            let mut remaining = remaining.iter();
            !remaining.any(|other| older_side.is_same(finding, other))
        };
        let mut known = known_causes.iter();
        let causes = match known.find(|cause| is_caused_by(&[**cause])) {
            Some(cause) => vec![*cause],
            None if is_caused_by(features) => minimal_set(&[], features, &mut is_caused_by),
            None => Vec::new(),
        };
        if let [cause] = *causes
            && !known_causes.contains(&cause)
        {
            known_causes.push(cause);
        }
        finding.causes = causes;
    }
}

/// Returns a minimal set of `candidates` that causes the difference together with `chosen`. The
/// candidates are halved, so that few sets are evaluated.
fn minimal_set(
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
    let from_second = minimal_set(&[chosen, first].concat(), second, is_caused_by);
    let from_first = minimal_set(&[chosen, &from_second].concat(), first, is_caused_by);
    [from_first, from_second].concat()
}
