//! The public functions that decode and validate an `ObjectMeta`.

use serde_json::Value;

use super::meta::{self, METADATA, NameValidation, Scope};
use crate::schema::unknown::unknown_fields::UnknownFields;
use k8s_cel::KubeVersion;
use union_runtime::{BadValue, Report, Violation, ViolationKind};

/// Decodes metadata from a client as an API server does: removes unknown and empty fields, and
/// rewrites times in UTC with whole seconds.
///
/// # Errors
///
/// Returns an error if a field has a wrong type. The report has one error, at the path `metadata`,
/// with the message of Go for the first such field. The metadata is then unchanged. A server
/// responds to such a request with code 400.
pub fn decode(metadata: &mut Value) -> Result<(), Report> {
    let decoded = meta::coerce(metadata, &METADATA, &mut UnknownFields::off());
    decoded.map_err(|message| Report::from_iter(vec![decode_error(message)]))
}

/// Returns the error for metadata that cannot be decoded.
pub(crate) fn decode_error(message: String) -> Violation {
    let path = METADATA.into();
    Violation::from_parts(ViolationKind::BadRequest, path, BadValue::Omitted, message)
}

/// Decodes stored metadata like [`decode`], but removes fields of a wrong type instead of returning
/// an error.
pub fn decode_stored(metadata: &mut Value) {
    meta::coerce_stored(metadata);
}

/// Validates the metadata of a new object, as a server of the latest known version does. The name
/// may be missing if `generateName` is set.
///
/// The metadata must be [decoded](decode); a field of a wrong type counts as missing. Names must be
/// DNS subdomains, like the names of custom resources. Paths in the report begin with `metadata`.
#[must_use]
pub fn validate(metadata: &Value, scope: Scope) -> Report {
    validate_in_version(metadata, scope, KubeVersion::LATEST)
}

/// Validates the metadata of a new object like [`validate`], as a server of a version does.
///
/// ```
/// use k8s_crd_validation::{KubeVersion, metadata};
/// use serde_json::json;
///
/// let new = json!({"name": "web", "managedFields": [{"operation": "Patch"}]});
/// let error = |version: &str| {
///     let version: KubeVersion = version.parse().expect("the version is known");
///     let report = metadata::validate_in_version(&new, metadata::Scope::Cluster, version);
///     report.to_string()
/// };
/// assert_eq!(
///     error("1.36"),
///     "metadata.managedFields[0].operation: Invalid value: \"Patch\": \
///      must be `Apply` or `Update`",
/// );
/// assert_eq!(
///     error("1.37"),
///     "metadata.managedFields[0].operation: Unsupported value: \"Patch\": \
///      supported values: \"Apply\", \"Update\"",
/// );
/// ```
#[must_use]
pub fn validate_in_version(metadata: &Value, scope: Scope, version: KubeVersion) -> Report {
    collect_report(|found| {
        meta::validate_object_meta(
            Some(metadata),
            NameValidation::Subdomain,
            scope,
            version,
            &METADATA,
            found,
        );
    })
}

/// Validates the metadata of an object that replaces `old`, as a server of the latest known version
/// does. The syntax of the name is not checked, because a name cannot change.
///
/// The metadata must be [decoded](decode). An API server restores some missing fields from the old
/// object before validation, such as `creationTimestamp`; this function does not. Paths in the
/// report begin with `metadata`.
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
    validate_update_in_version(new, old, KubeVersion::LATEST)
}

/// Validates the metadata of an update like [`validate_update`], as a server of a version does.
#[must_use]
pub fn validate_update_in_version(new: &Value, old: &Value, version: KubeVersion) -> Report {
    collect_report(|found| {
        meta::validate_object_meta_update(Some(new), Some(old), version, &METADATA, found);
    })
}

fn collect_report(check: impl FnOnce(&mut Vec<Violation>)) -> Report {
    let mut errors = Vec::new();
    check(&mut errors);
    errors.into_iter().collect()
}
