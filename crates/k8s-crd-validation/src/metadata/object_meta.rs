//! Decoding and validation of an `ObjectMeta`.

use serde_json::Value;

use super::meta::{self, NameRule, Scope};
use union_runtime::path::Path;
use union_runtime::{Found, Violation, ViolationKind, Violations};

/// The path of the metadata.
pub(crate) const METADATA: Path<'static> = Path::ROOT.field("metadata");

/// Decodes metadata from a client as an API server does: unknown and empty fields are removed, and
/// times are written in one form.
///
/// # Errors
///
/// Returns an error if a field has a wrong type: the message of Go for the first such field, at
/// path `metadata`. The metadata is then unchanged. A server answers such a request with code 400.
pub fn read(metadata: &mut Value) -> Result<(), Violations> {
    let read = meta::coerce(metadata);
    read.map_err(|problem| Violations::new(vec![unreadable(problem)], Vec::new()))
}

/// Returns the error for metadata that cannot be decoded.
pub(crate) fn unreadable(problem: String) -> Violation {
    let path = METADATA.into();
    Violation::found(ViolationKind::BadRequest, path, Found::Nothing, problem)
}

/// Decodes stored metadata like [`read`], but removes fields that a server cannot decode.
pub fn read_stored(metadata: &mut Value) {
    meta::coerce_stored(metadata);
}

/// Validates the metadata of a new object. If the name will be generated from `generateName`, the
/// name is not checked.
///
/// Pass metadata that was [read]; a field of a wrong type counts as absent.
///
/// # Errors
///
/// Returns an error if an API server rejects the metadata. Paths begin with `metadata`. Names must
/// be DNS subdomains, as the names of custom resources.
pub fn validate(metadata: &Value, scope: Scope) -> Result<(), Violations> {
    judged(|found| meta::common(Some(metadata), NameRule::Subdomain, scope, &METADATA, found))
}

/// Validates the metadata of an object that replaces `old`. The syntax of the name is not checked,
/// because a name cannot change.
///
/// Pass metadata that was [read]. Fields that a server sets before validation are not set here, for
/// example a time of creation that the client omits.
///
/// ```
/// use k8s_crd_validation::metadata;
/// use serde_json::json;
///
/// let old = json!({"name": "web", "uid": "u", "resourceVersion": "7"});
/// let refused = metadata::validate_update(&json!({"name": "web", "uid": "v"}), &old).unwrap_err();
/// let refused: Vec<String> = refused.iter().map(ToString::to_string).collect();
/// assert_eq!(refused, [
///     r#"metadata.resourceVersion: Invalid value: "": must be specified for an update"#,
///     r#"metadata.uid: Invalid value: "v": field is immutable"#,
/// ]);
/// ```
///
/// # Errors
///
/// Returns an error if an API server rejects the metadata. Paths begin with `metadata`.
pub fn validate_update(new: &Value, old: &Value) -> Result<(), Violations> {
    judged(|found| meta::update(Some(new), Some(old), &METADATA, found))
}

fn judged(check: impl FnOnce(&mut Vec<Violation>)) -> Result<(), Violations> {
    let mut found = Vec::new();
    check(&mut found);
    if found.is_empty() {
        return Ok(());
    }
    Err(Violations::new(found, Vec::new()))
}
