//! The versions of a CRD for which types are generated.

use serde_json::Value;
use union_json::document::{Crd, CrdVersion};
use union_runtime::path::FieldPath;

use crate::error::GenerateError;
use crate::settings::Settings;

/// A version with a name and a schema.
pub(crate) struct RequestedVersion<'a> {
    pub(crate) crd: Crd<'a>,
    pub(crate) entry: CrdVersion<'a>,
    pub(crate) name: &'a str,
    pub(crate) schema: &'a Value,
    /// The path of the schema, for errors.
    pub(crate) path: FieldPath,
}

/// Returns the string at a pointer.
pub(crate) fn string_at<'a>(value: &'a Value, pointer: &str) -> Option<&'a str> {
    value.pointer(pointer)?.as_str()
}

/// Returns the elements of a list at a pointer.
pub(crate) fn array_at<'a>(value: &'a Value, pointer: &str) -> impl Iterator<Item = &'a Value> {
    let array = value.pointer(pointer).and_then(Value::as_array);
    array.into_iter().flatten()
}

/// Returns the strings of a list at a pointer.
pub(crate) fn strings_at<'a>(value: &'a Value, pointer: &str) -> impl Iterator<Item = &'a str> {
    array_at(value, pointer).filter_map(Value::as_str)
}

/// Returns true if the value at a pointer is `true`.
pub(crate) fn is_true_at(value: &Value, pointer: &str) -> bool {
    value.pointer(pointer) == Some(&Value::Bool(true))
}

pub(crate) fn require_kind(crd: Crd<'_>) -> Result<&str, GenerateError> {
    require_string(crd.kind(), ["spec", "names", "kind"].into())
}

pub(crate) fn require_group(crd: Crd<'_>) -> Result<&str, GenerateError> {
    require_string(crd.group(), ["spec", "group"].into())
}

fn require_string(value: Option<&str>, path: FieldPath) -> Result<&str, GenerateError> {
    let value = value.filter(|value| !value.is_empty());
    value.ok_or_else(|| GenerateError::new(path, "missing; expected a CustomResourceDefinition"))
}

/// Returns the versions that the settings name, or else all served versions.
pub(crate) fn requested_versions<'a>(
    crd: Crd<'a>,
    settings: &Settings,
) -> Result<Vec<RequestedVersion<'a>>, GenerateError> {
    let mut requested_versions = Vec::new();
    for version in crd.versions() {
        let path = FieldPath::from(["spec", "versions"]).index(version.index());
        let Some(name) = version.name().filter(|name| !name.is_empty()) else {
            return Err(GenerateError::new(path, "missing `name`"));
        };
        let is_requested = if settings.versions.is_empty() {
            version.served() == Some(true)
        } else {
            settings.versions.iter().any(|requested| requested == name)
        };
        if !is_requested {
            continue;
        }
        let path = path.field("schema").field("openAPIV3Schema");
        let Some(schema) = version.schema().filter(|schema| schema.is_object()) else {
            let problem = "missing schema; types cannot be generated without it";
            return Err(GenerateError::new(path, problem));
        };
        requested_versions.push(RequestedVersion {
            crd,
            entry: version,
            name,
            schema,
            path,
        });
    }
    if requested_versions.is_empty() {
        let problem = if crd.versions().len() == 0 {
            "no versions; expected a CRD of apiextensions.k8s.io/v1".to_owned()
        } else if settings.versions.is_empty() {
            "no version is served; select a version".to_owned()
        } else {
            format!(
                "unknown version {}; use one of the versions of the CRD",
                settings.versions.join(" or ")
            )
        };
        return Err(GenerateError::new(["spec", "versions"], problem));
    }
    Ok(requested_versions)
}
