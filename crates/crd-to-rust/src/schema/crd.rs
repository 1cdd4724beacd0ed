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

/// The versions of a CRD for which types are generated, and the reasons why others are left out.
#[derive(Default)]
pub(crate) struct VersionSelection<'a> {
    pub(crate) requested: Vec<RequestedVersion<'a>>,
    /// The requested versions without types, each with its name. Without a name, the entry is about
    /// the whole CRD.
    pub(crate) left_out: Vec<(Option<&'a str>, GenerateError)>,
}

/// The API version of CRDs until Kubernetes 1.21.
const BETA_API_VERSION: &str = "apiextensions.k8s.io/v1beta1";

/// Returns the versions that the settings name, or else all served versions.
pub(crate) fn select_versions<'a>(
    crd: Crd<'a>,
    settings: &Settings,
) -> Result<VersionSelection<'a>, GenerateError> {
    let mut selection = VersionSelection::default();
    if string_at(crd.json(), "/apiVersion") == Some(BETA_API_VERSION) {
        let problem = format!(
            "{BETA_API_VERSION} is not supported; convert the CRD to apiextensions.k8s.io/v1"
        );
        let error = GenerateError::new(["apiVersion"], problem);
        selection.left_out.push((None, error));
        return Ok(selection);
    }
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
            let error = GenerateError::new(path, problem);
            selection.left_out.push((Some(name), error));
            continue;
        };
        selection.requested.push(RequestedVersion {
            crd,
            entry: version,
            name,
            schema,
            path,
        });
    }
    if selection.requested.is_empty() && selection.left_out.is_empty() {
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
        let error = GenerateError::new(["spec", "versions"], problem);
        selection.left_out.push((None, error));
    }
    Ok(selection)
}
