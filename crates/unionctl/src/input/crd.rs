//! Selects a CRD by the type of an object, or by a name.

use serde_json::Value;
use union_json::document::Crd;

use crate::input::object::GroupVersionKind;

/// Returns true if the kind of an object is `CustomResourceDefinition`.
pub(crate) fn is_crd(object: &Value) -> bool {
    Crd::from_object(object).is_some()
}

/// Returns true if a CRD defines a type. A CRD without a group or a kind matches every group or
/// kind.
pub(crate) fn is_for_type(crd: Crd<'_>, object_type: GroupVersionKind<'_>) -> bool {
    let matches = |declared: Option<&str>, found: &str| match declared {
        None | Some("") => true,
        Some(declared) => declared == found,
    };
    matches(crd.group(), object_type.group) && matches(crd.kind(), object_type.kind)
}

/// Returns true if a name is the name of the CRD, its kind or its plural name.
pub(crate) fn is_called(crd: Crd<'_>, name: &str) -> bool {
    [crd.name(), crd.kind(), crd.plural()].contains(&Some(name))
}

/// Returns the kind and the group of a CRD for messages: `Backup of example.com`.
pub(crate) fn kind_and_group(crd: Crd<'_>) -> String {
    let kind = crd.kind().unwrap_or_default();
    let group = crd.group().unwrap_or_default();
    format!("{kind} of {group}")
}
