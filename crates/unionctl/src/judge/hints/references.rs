//! Hints on references, which a CRD cannot contain. Generators write them for types that contain
//! themselves.

use serde_json::Value;
use union_json::document::{Crd, CrdVersion};
use union_runtime::path::PathStep;

use super::costs::version_index;
use crate::judge::reply::unions_reply::FieldError;

/// Adds a hint to each error about a reference.
pub(crate) fn add_hints(errors: &mut [FieldError], crd: &Value) {
    for error in errors {
        if error.path.steps().next_back() == Some(PathStep::Field("$ref"))
            && let Some(reference) = find_reference(error, crd)
        {
            let name = reference.rsplit('/').next().unwrap_or_default();
            error.hints.push(format!(
                "a CRD cannot refer to `{name}`; write its schema here, or, if `{name}` contains itself, \
                 replace the reference by `x-kubernetes-preserve-unknown-fields: true`; in Rust, write \
                 `#[schemars(with = \"serde_json::Value\", extend(\"x-kubernetes-preserve-unknown-fields\" = true))]` \
                 on the field"
            ));
        }
    }
}

/// Returns the reference that an error is about.
fn find_reference<'c>(error: &FieldError, crd: &'c Value) -> Option<&'c str> {
    let version = Crd::new(crd).versions().nth(version_index(error));
    let mut schema = version.and_then(CrdVersion::schema)?;
    let mut steps = error.path.steps();
    steps.find(|step| *step == PathStep::Field("openAPIV3Schema"))?;
    for step in steps {
        schema = step.find(schema)?;
    }
    schema.as_str()
}
