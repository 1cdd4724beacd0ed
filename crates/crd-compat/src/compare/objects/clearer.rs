//! Repairs the errors of an object that a finding does not cause.

use k8s_crd_validation::{Violation, ViolationKind};
use serde_json::Value;
use union_runtime::path::FieldPath;

use super::distinct_items::with_distinct_items;
use crate::bounds::REPAIR;
use crate::sample::search::search;

/// The number of errors for which an object counts that does not prove the finding.
const NO_PROOF_WEIGHT: usize = 64;

/// Returns an object that also proves the finding, with fewer errors of other causes if one is
/// found. `other_errors` returns these errors; `None` if the object does not prove the finding.
pub(crate) fn clearer(
    object: Value,
    schema: &Value,
    other_errors: impl Fn(&Value) -> Option<Vec<Violation>>,
) -> Value {
    // A search changes an item at a time, which is too slow for a long list.
    let errors = other_errors(&object).unwrap_or_default();
    let duplicate = errors
        .iter()
        .find(|error| error.kind() == ViolationKind::Duplicate);
    let distinct = duplicate.and_then(|error| with_distinct_items(&object, schema, error.path()));
    let is_clearer =
        |distinct: &Value| other_errors(distinct).is_some_and(|others| others.len() < errors.len());
    let object = distinct.filter(is_clearer).unwrap_or(object);
    let mut validate = |object: &Value| {
        other_errors(object).unwrap_or_else(|| {
            let error = Violation::required(FieldPath::root(), "");
            vec![error; NO_PROOF_WEIGHT]
        })
    };
    search(object, schema, REPAIR, &mut validate).object
}
