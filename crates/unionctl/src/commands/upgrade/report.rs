//! The report of `unionctl upgrade`: the differences, grouped by their causes.

use k8s_crd_validation::{Feature, KubeVersion};
use k8s_upgrade::{Finding, RequestChange, Severity, Subject};
use serde::Serialize;

use crate::input::{ObjectSource, Position};
use crate::judge::skipped_objects::SkippedObjects;
use crate::output::print::CommandStatus;

/// The differences between two versions, grouped by their causes.
#[derive(Debug, Serialize)]
pub(crate) struct UpgradeReport {
    pub(super) from: String,
    pub(super) to: String,
    pub(super) groups: Vec<CauseGroup>,
    pub(super) summary: Summary,
    #[serde(flatten)]
    pub(super) skipped_objects: SkippedObjects,
    /// True if objects that no CRD describes are errors.
    #[serde(skip)]
    pub(super) has_strict_kinds: bool,
}

/// The differences with the same causes.
#[derive(Debug, Serialize)]
pub(super) struct CauseGroup {
    pub(super) causes: Vec<Cause>,
    pub(super) findings: Vec<LocatedFinding>,
    #[serde(skip)]
    features: Vec<Feature>,
}

/// A change of Kubernetes.
#[derive(Debug, Serialize)]
pub(super) struct Cause {
    /// The identifier of the change, such as `NumericRanges`.
    pub(super) code: String,
    pub(super) description: String,
    /// The first version with the change.
    pub(super) since: String,
    pub(super) source: &'static str,
}

/// A difference of a CRD or of an object.
#[derive(Debug, Serialize)]
pub(super) struct LocatedFinding {
    pub(super) level: &'static str,
    pub(super) subject: &'static str,
    pub(super) file: String,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub(super) position: Option<Position>,
    pub(super) object: String,
    #[serde(rename = "field", skip_serializing_if = "String::is_empty")]
    pub(super) path: String,
    pub(super) before: Option<String>,
    pub(super) after: Option<String>,
    pub(super) changes: Vec<ChangeReply>,
}

/// The change of the outcome of a request.
#[derive(Debug, Serialize)]
pub(super) struct ChangeReply {
    pub(super) request: &'static str,
    pub(super) before: &'static str,
    pub(super) after: &'static str,
}

#[derive(Debug, Default, Serialize)]
pub(super) struct Summary {
    pub(super) crds: usize,
    pub(super) objects: usize,
    /// The number of requests that were accepted and are rejected.
    pub(super) breaking: usize,
    pub(super) changed: usize,
    pub(super) notices: usize,
}

/// The CRD or the object of findings.
pub(super) struct Place<'p> {
    pub(super) file: &'p str,
    pub(super) title: String,
    pub(super) source: Option<&'p ObjectSource>,
}

impl UpgradeReport {
    pub(super) fn new(from: KubeVersion, to: KubeVersion) -> Self {
        Self {
            from: from.to_string(),
            to: to.to_string(),
            groups: Vec::new(),
            summary: Summary::default(),
            skipped_objects: SkippedObjects::default(),
            has_strict_kinds: false,
        }
    }

    /// Adds the findings of a CRD or of an object.
    pub(super) fn add(&mut self, place: &Place<'_>, findings: Vec<Finding>) {
        for finding in findings {
            match finding.severity() {
                Severity::Breaking => self.summary.breaking += 1,
                Severity::Changed => self.summary.changed += 1,
                _ => self.summary.notices += 1,
            }
            let group = self.group_of(&finding.causes);
            group.findings.push(LocatedFinding::new(place, finding));
        }
    }

    /// Returns the group with these causes. A new group is inserted in the order of the versions.
    fn group_of(&mut self, features: &[Feature]) -> &mut CauseGroup {
        let order = |features: &[Feature]| -> Vec<_> {
            let features = features.iter();
            features
                .map(|feature| (feature.since(), *feature as usize))
                .collect()
        };
        let search = self
            .groups
            .binary_search_by_key(&order(features), |group| order(&group.features));
        let index = search.unwrap_or_else(|index| {
            self.groups.insert(index, CauseGroup::new(features));
            index
        });
        &mut self.groups[index]
    }

    pub(super) fn command_status(&self) -> CommandStatus {
        let is_kind_error =
            self.has_strict_kinds && self.skipped_objects.unchecked.object_count() > 0;
        let status = if self.summary.breaking == 0 && !is_kind_error {
            CommandStatus::Success
        } else {
            CommandStatus::Rejected
        };
        status.with_unread_parts(self.skipped_objects.unread_parts)
    }
}

impl CauseGroup {
    fn new(features: &[Feature]) -> Self {
        let cause = |feature: &Feature| Cause {
            code: format!("{feature:?}"),
            description: feature.to_string(),
            since: feature.since().to_string(),
            source: feature.source(),
        };
        Self {
            causes: features.iter().map(cause).collect(),
            findings: Vec::new(),
            features: features.to_vec(),
        }
    }
}

impl LocatedFinding {
    fn new(place: &Place<'_>, finding: Finding) -> Self {
        let level = match finding.severity() {
            Severity::Breaking => BREAKING,
            Severity::Changed => CHANGED,
            _ => NOTICE,
        };
        let subject = match finding.subject {
            Subject::Error => "error",
            Subject::Warning => "warning",
            Subject::Cost => "cost",
            _ => "stored object",
        };
        let change = |change: &RequestChange| ChangeReply {
            request: change.request.name(),
            before: change.before.name(),
            after: change.after.name(),
        };
        let source = place.source;
        Self {
            level,
            subject,
            file: place.file.to_owned(),
            position: source.and_then(|source| source.position(&finding.path)),
            object: place.title.clone(),
            path: finding.path.as_str().to_owned(),
            changes: finding.changes.iter().map(change).collect(),
            before: finding.before,
            after: finding.after,
        }
    }
}

impl ChangeReply {
    /// Returns the line for users.
    pub(super) fn line(&self) -> String {
        format!("{}: {} -> {}", self.request, self.before, self.after)
    }
}

pub(super) const BREAKING: &str = "breaking";
pub(super) const CHANGED: &str = "changed";
pub(super) const NOTICE: &str = "notice";
