//! Compares CRDs with the type of an object, or with a name.

use serde_json::Value;
use union_json::document::Crd;
use union_runtime::path::{FieldPath, PathStep};

use crate::input::object::GroupVersionKind;

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
