//! The relation between two versions, and its effect on findings.

use serde_json::Value;

use crate::judge::judge::Judge;
use crate::report::finding::Severity;
use crate::version::version_side::VersionSide;

/// The relation between the two versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Relation {
    /// The new version replaces the old one.
    Upgrade,
    /// Both versions are served: an object that a client writes through one version is read through
    /// the other.
    ServedTogether,
}

/// Returns true if the earlier versions already differ for an object: `accepting_side` accepts it,
/// and the other version rejects it or loses more fields.
pub(crate) fn is_known_rejection(
    earlier_judge: &Judge<'_>,
    object: &Value,
    accepting_side: VersionSide,
) -> bool {
    let accepting_result = earlier_judge.create(accepting_side, object);
    let rejecting_result = earlier_judge.create(accepting_side.other(), object);
    let loses_more = || {
        rejecting_result
            .lost_fields
            .iter()
            .any(|field| !accepting_result.lost_fields.contains(field))
    };
    !accepting_result.decisions.is_rejected()
        && (rejecting_result.decisions.is_rejected() || loses_more())
}

pub(crate) const fn severity(is_breaking: bool) -> Severity {
    if is_breaking {
        Severity::Breaking
    } else {
        Severity::Notice
    }
}
