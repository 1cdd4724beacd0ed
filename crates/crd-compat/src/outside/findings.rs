//! All findings outside of schemas.

use union_json::document::Crd;

use super::names::name_changes;
use super::outside_change::OutsideChange;
use super::refusal::refusals;
use super::spec_parts::spec_part_changes;
use super::stored_versions::stored_version_changes;
use super::versions::version_changes;
use crate::report::finding::Finding;

/// Returns the findings about everything but the schemas.
pub(crate) fn findings_outside_schemas(old: Crd<'_>, new: Crd<'_>) -> Vec<Finding> {
    let mut changes = spec_part_changes(old, new);
    changes.extend(name_changes(old, new));
    changes.extend(version_changes(old, new));
    changes.extend(stored_version_changes(old, new));
    changes.extend(refusals(old, new));
    let findings = changes.into_iter();
    findings.map(OutsideChange::into_finding).collect()
}
