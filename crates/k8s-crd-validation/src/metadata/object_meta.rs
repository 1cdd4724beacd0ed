//! Decoding and validation of an `ObjectMeta`.

use serde_json::Value;

use super::meta::{self, NameValidation, Scope};
use crate::schema::unknown_fields::UnknownFields;
use union_runtime::path::Path;
use union_runtime::{BadValue, Report, Violation, ViolationKind};

/// The path of the metadata.
pub(crate) const METADATA: Path<'static> = Path::ROOT.field("metadata");

/// Decodes metadata from a client as an API server does: unknown and empty fields are removed, and
/// times are written in one form.
///
/// # Errors
///
/// Returns an error if a field has a wrong type: the message of Go for the first such field, at
/// path `metadata`. The metadata is then unchanged. A server answers such a request with code 400.
pub fn decode(metadata: &mut Value) -> Result<(), Report> {
    let read = meta::coerce(metadata, &METADATA, &mut UnknownFields::off());
    read.map_err(|problem| Report::from_iter(vec![decode_error(problem)]))
}

/// Returns the error for metadata that cannot be decoded.
pub(crate) fn decode_error(problem: String) -> Violation {
    let path = METADATA.into();
    Violation::from_parts(ViolationKind::BadRequest, path, BadValue::Omitted, problem)
}

/// Decodes stored metadata like [`decode`], but removes fields that a server cannot decode.
pub fn decode_stored(metadata: &mut Value) {
    meta::coerce_stored(metadata);
}

/// Validates the metadata of a new object. If the name will be generated from `generateName`, the
/// name is not checked.
///
/// Pass metadata that was [decoded](decode); a field of a wrong type counts as absent. Names must
/// be DNS subdomains, as the names of custom resources. Paths in the report begin with `metadata`.
#[must_use]
pub fn validate(metadata: &Value, scope: Scope) -> Report {
    collect_report(|found| {
        meta::validate_object_meta(
            Some(metadata),
            NameValidation::Subdomain,
            scope,
            &METADATA,
            found,
        );
    })
}

/// Validates the metadata of an object that replaces `old`. The syntax of the name is not checked,
/// because a name cannot change.
///
/// Pass metadata that was [decoded](decode). Fields that a server sets before validation are not
/// set here, for example a time of creation that the client omits. Paths in the report begin with
/// `metadata`.
///
/// ```
/// use k8s_crd_validation::metadata;
/// use serde_json::json;
///
/// let old = json!({"name": "web", "uid": "u", "resourceVersion": "7"});
/// let report = metadata::validate_update(&json!({"name": "web", "uid": "v"}), &old);
/// let errors: Vec<String> = report.errors().iter().map(ToString::to_string).collect();
/// assert_eq!(errors, [
///     r#"metadata.resourceVersion: Invalid value: "": must be specified for an update"#,
///     r#"metadata.uid: Invalid value: "v": field is immutable"#,
/// ]);
/// ```
#[must_use]
pub fn validate_update(new: &Value, old: &Value) -> Report {
    collect_report(|found| {
        meta::validate_object_meta_update(Some(new), Some(old), &METADATA, found);
    })
}

fn collect_report(check: impl FnOnce(&mut Vec<Violation>)) -> Report {
    let mut errors = Vec::new();
    check(&mut errors);
    errors.into_iter().collect()
}
