//! Reads and validates an `ObjectMeta`.

use serde_json::Value;

use super::meta::{self, NameRule, Scope};
use union_runtime::path::Path;
use union_runtime::{Found, Violation, ViolationKind, Violations};

/// Where metadata stands.
pub(crate) const METADATA: Path<'static> = Path::ROOT.field("metadata");

/// Reads metadata as it comes from a client, and leaves what a server would write: what is unknown or says nothing is
/// dropped, times are written in one way.
///
/// # Errors
///
/// The first field of a wrong type, as Go words it, at path `metadata`; nothing is changed then. A server answers such a
/// request with code 400.
pub fn read(metadata: &mut Value) -> Result<(), Violations> {
    let read = meta::coerce(metadata);
    read.map_err(|problem| Violations::new(vec![unreadable(problem)], Vec::new()))
}

/// Metadata that cannot be read.
pub(crate) fn unreadable(problem: String) -> Violation {
    let path = METADATA.into();
    Violation::found(ViolationKind::BadRequest, path, Found::Nothing, problem)
}

/// As [`read`], for metadata that is stored: fields that a server cannot read are dropped.
pub fn read_stored(metadata: &mut Value) {
    meta::coerce_stored(metadata);
}

/// What is wrong with the metadata of a new object. A name that is yet to be made from `generateName` is not judged.
///
/// It is given metadata that was [read]; a field of a wrong type counts as absent.
///
/// # Errors
///
/// All that an API server refuses, with paths from `metadata` on; names are those of custom resources, which are DNS
/// subdomains.
pub fn validate(metadata: &Value, scope: Scope) -> Result<(), Violations> {
    judged(|found| meta::common(Some(metadata), NameRule::Subdomain, scope, &METADATA, found))
}

/// What is wrong with the metadata of an object that takes the place of `old`. The form of a name is not judged: it cannot
/// change.
///
/// Both are given as they were [read]. What a server itself sets before it looks, such as the time of creation where a
/// client leaves it out, is not set here.
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
/// All that an API server refuses, with paths from `metadata` on.
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
