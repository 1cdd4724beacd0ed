//! CRDs as wholes: what a server says of them, and what is wrong with unions in them.

use k8s_crd_validation::{Outcome, StructuralSchema, crd};
use serde_json::Value;

/// Judges a CRD, or one that takes the place of another. Where a server takes it, mistakes in its unions are errors too.
pub(super) fn judge(new: &Value, old: Option<&Value>) -> Outcome {
    let mut outcome = match old {
        Some(old) => crd::update(new, old),
        None => crd::create(new),
    };
    if !outcome.is_accepted() {
        return outcome;
    }
    for version in crate::crd::versions(new) {
        // What an update goes on with is none of ours: a stored schema is only read.
        let compiled = match old {
            Some(_) => StructuralSchema::compile_stored(new, Some(version)),
            None => StructuralSchema::compile_crd(new, Some(version)),
        };
        for error in compiled.err().iter().flatten() {
            if !outcome.errors.contains(error) {
                outcome.errors.push(error.clone());
            }
        }
    }
    outcome
}
