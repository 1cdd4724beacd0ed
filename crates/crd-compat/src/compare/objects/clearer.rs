//! Repairs the errors of an object that a finding does not cause.

use k8s_crd_validation::Violation;
use serde_json::Value;
use union_runtime::path::FieldPath;

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
    let mut validate = |object: &Value| {
        other_errors(object).unwrap_or_else(|| {
            let error = Violation::required(FieldPath::root(), "");
            vec![error; NO_PROOF_WEIGHT]
        })
    };
    search(object, schema, REPAIR, &mut validate).object
}
