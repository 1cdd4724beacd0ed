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
    for version in crate::crd::versions(new).filter(|version| has_schema(new, version)) {
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

/// Whether a version has a schema: an update may go on without one.
fn has_schema(crd: &Value, version: &str) -> bool {
    let versions = crd.pointer("/spec/versions").and_then(Value::as_array);
    let mut versions = versions.into_iter().flatten();
    versions.any(|of| {
        let schema = of.pointer("/schema/openAPIV3Schema");
        of.get("name").is_some_and(|name| name == version) && schema.is_some_and(Value::is_object)
    })
}
