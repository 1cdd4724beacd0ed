//! The errors for which a server refuses the update of the CRD.

use std::collections::HashSet;

use k8s_crd_validation::Violation;
use k8s_crd_validation::crd::Review;
use serde_json::{Value, json};
use union_json::document::Crd;
use union_runtime::path::{FieldPath, PathStep};

use super::outside_change::OutsideChange;
use crate::report::finding::Level;

/// The fields whose changes have findings of their own, which tell that a server refuses them.
const FIELDS_WITH_FINDINGS: [&[&str]; 6] = [
    &["spec", "scope"],
    &["spec", "group"],
    &["spec", "names", "kind"],
    &["spec", "names", "plural"],
    &["spec", "preserveUnknownFields"],
    &["status", "storedVersions"],
];

/// Returns the errors for which a server refuses the update of the CRD.
pub(super) fn refusals(old: Crd<'_>, new: Crd<'_>) -> Vec<OutsideChange> {
    let complete = |crd: Crd<'_>| {
        let mut crd = crd.json().clone();
        if let Some(metadata) = crd.get_mut("metadata").and_then(Value::as_object_mut) {
            metadata.insert("resourceVersion".to_owned(), "1".into());
        }
        crd
    };
    let old = complete(old);
    let unchanged = Review::new().update(&old, &old);
    let report = Review::new().update(&complete(new), &old);
    // An error that the old CRD has too is not caused by the change.
    let key = |error: &Violation| {
        let [path, rule] = [error.path().as_str(), error.rule()].map(str::to_owned);
        (error.kind().reason(), path, rule)
    };
    let old_errors: HashSet<_> = unchanged.errors().iter().map(key).collect();
    let errors = report.errors().iter();
    let errors = errors.filter(|error| !old_errors.contains(&key(error)));
    let errors = errors.filter(|error| !has_own_finding(error.path()));
    errors
        .map(|error| OutsideChange {
            code: "crd-refused",
            level: Level::Breaking,
            identity: json!({
                "path": error.path().as_str(), "type": error.kind().reason(), "rule": error.rule(),
            }),
            old_pointer: None,
            new_pointer: Some("/spec".to_owned()),
            description: format!("a server refuses the update of the CRD: {error}"),
            affected: "the installation of the new CRD",
            remedy: "mend the error",
        })
        .collect()
}

/// Returns true if the error is about a field whose change has a finding.
fn has_own_finding(path: &FieldPath) -> bool {
    FIELDS_WITH_FINDINGS.iter().any(|field| {
        let mut steps = path.steps();
        field
            .iter()
            .all(|name| steps.next() == Some(PathStep::Field(name)))
    })
}
