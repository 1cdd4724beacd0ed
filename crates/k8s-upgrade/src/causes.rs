//! Finds the features that cause a difference.

use std::collections::{HashMap, HashSet};

use k8s_crd_validation::{Feature, KubeVersion};
use union_runtime::path::FieldPath;

use crate::answer::rule_source;
use crate::finding::{Finding, Request, Subject};

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

    /// Returns the parts that identify the difference of a finding in several comparisons. Only
    /// the newer version changes between the comparisons, so the messages of the older version
    /// identify a finding. If only the newer version has a message, only the rule in the message
    /// is a part.
    fn key(self, finding: &Finding) -> DifferenceKey {
        let (older_text, newer_text) = self.texts(finding);
        let newer_text = match (older_text, finding.subject) {
            (Some(_), _) => None,
            (None, Subject::Error) => newer_text.and_then(rule_source),
            (None, _) => newer_text,
        };
        DifferenceKey {
            subject: finding.subject,
            path: finding.path.clone(),
            older_text: older_text.map(str::to_owned),
            newer_text: newer_text.map(str::to_owned),
        }
    }
}

/// The parts that identify a difference in several comparisons.
#[derive(PartialEq, Eq, Hash)]
struct DifferenceKey {
    subject: Subject,
    path: FieldPath,
    older_text: Option<String>,
    newer_text: Option<String>,
}

/// The differences that a comparison has, with the requests that have another outcome.
struct Differences(HashMap<DifferenceKey, HashSet<Request>>);

impl Differences {
    fn new(findings: &[Finding], older_side: OlderSide) -> Self {
        let mut differences: HashMap<_, HashSet<Request>> = HashMap::new();
        for finding in findings {
            let requests = differences.entry(older_side.key(finding)).or_default();
            requests.extend(finding.changes.iter().map(|change| change.request));
        }
        Self(differences)
    }

    /// Returns true if the comparison has a difference. If `request` is not `None`, this request
    /// must have another outcome.
    fn contains(&self, key: &DifferenceKey, request: Option<Request>) -> bool {
        self.0
            .get(key)
            .is_some_and(|requests| request.is_none_or(|request| requests.contains(&request)))
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
    let mut compared: HashMap<Vec<Feature>, Differences> = HashMap::new();
    for finding in findings {
        let key = older_side.key(finding);
        let main_request = finding.main_change().map(|change| change.request);
        let mut is_caused_by = |set: &[Feature]| {
            let remaining = compared
                .entry(set.to_vec())
                .or_insert_with(|| Differences::new(&compare(set), older_side));
            !remaining.contains(&key, main_request)
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
