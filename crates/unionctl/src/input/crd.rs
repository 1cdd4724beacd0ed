//! Compares CRDs with the type of an object, or with a name.

use std::collections::HashMap;

use serde_json::Value;
use union_json::document::{Crd, CrdVersion};
use union_runtime::path::{FieldPath, PathStep};

use crate::error::CommandError;
use crate::input::Documents;
use crate::input::object::{self, GroupVersionKind};

/// The API version of the CRDs that servers read and store.
const API_VERSION: &str = "apiextensions.k8s.io/v1";

/// Returns true if the kind of an object is `CustomResourceDefinition`.
pub(crate) fn is_crd(object: &Value) -> bool {
    Crd::from_object(object).is_some()
}

/// Returns true if a CRD defines a type. A CRD without a group or a kind matches every group or
/// kind.
pub(crate) fn is_for_type(crd: Crd<'_>, object_type: GroupVersionKind<'_>) -> bool {
    let matches = |crd_name: Option<&str>, object_name: &str| match crd_name {
        None | Some("") => true,
        Some(crd_name) => crd_name == object_name,
    };
    matches(crd.group(), object_type.group) && matches(crd.kind(), object_type.kind)
}

/// Returns an error if two CRDs have the same name, because it is unknown which of them a server
/// has. Each CRD has its file.
pub(crate) fn require_distinct<'c>(
    crds: impl IntoIterator<Item = (&'c str, Crd<'c>)>,
) -> Result<(), CommandError> {
    let mut files_by_name = HashMap::new();
    for (file, crd) in crds {
        let Some(name) = crd.name() else { continue };
        if let Some(first_file) = files_by_name.insert(name, file) {
            let title = object::display_name(crd.json());
            let also = if first_file == file {
                String::new()
            } else {
                format!(", also in {first_file}")
            };
            return Err(CommandError::new(
                file,
                format!("duplicate {title}{also}; remove one"),
            ));
        }
    }
    Ok(())
}

/// Returns an error if documents have two CRDs with the same name.
pub(crate) fn require_distinct_in(documents: &Documents) -> Result<(), CommandError> {
    let crds = documents.objects().filter_map(Crd::from_object);
    require_distinct(crds.map(|crd| (documents.file.as_str(), crd)))
}

/// Returns an error if a CRD has another API version than `apiextensions.k8s.io/v1`, whose schemas
/// have another meaning. Accepts a CRD without an API version, because tools leave it out.
pub(crate) fn require_v1(file: &str, crd: &Value) -> Result<(), CommandError> {
    match crd.get("apiVersion") {
        None => Ok(()),
        Some(version) if version == API_VERSION => Ok(()),
        Some(version) => {
            let title = object::display_name(crd);
            Err(CommandError::new(
                file,
                format!("expected {title} of {API_VERSION}, found {version}; convert the CRD"),
            ))
        }
    }
}

/// Returns true unless the version has `served: false`.
pub(crate) fn is_served(version: CrdVersion<'_>) -> bool {
    version.served() != Some(false)
}

/// Returns true if the CRD has this name, kind or plural name.
pub(crate) fn has_name(crd: Crd<'_>, name: &str) -> bool {
    [crd.name(), crd.kind(), crd.plural()].contains(&Some(name))
}

/// Returns the kind and the group of a CRD for messages: `Backup of example.com`.
pub(crate) fn kind_and_group(crd: Crd<'_>) -> String {
    let kind = crd.kind().unwrap_or_default();
    let group = crd.group().unwrap_or_default();
    format!("{kind} of {group}")
}

/// Converts a path without a version, such as `spec.validation`, to the path in the first version.
pub(crate) fn path_in_first_version(path: &FieldPath) -> Option<FieldPath> {
    let mut steps = path.steps();
    steps
        .next()
        .filter(|step| *step == PathStep::Field("spec"))?;
    let mut version_path = FieldPath::from(["spec", "versions"]).index(0);
    if steps.clone().next() == Some(PathStep::Field("validation")) {
        steps.next();
        version_path = version_path.field("schema");
    }
    Some(steps.fold(version_path, FieldPath::step))
}
