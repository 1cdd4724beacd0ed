//! The names, the group and the scope of a CRD.

use std::collections::HashSet;

use serde_json::Value;

use super::definition::{CrdDefinition, CrdNames};
use crate::metadata::meta::names::{check_dns1035_label, check_dns1123_subdomain, lowercase};
use crate::schema::crd_path::CrdPath;
use union_runtime::{BadValue, Violation, ViolationKind};

/// Checks the group and the scope.
pub(super) fn check_group_and_scope(
    crd: &CrdDefinition<'_>,
    path: &CrdPath<'_>,
    errors: &mut Vec<Violation>,
) {
    let group_path = path.field("group");
    let group = BadValue::Quoted(crd.group.to_owned());
    let details = check_dns1123_subdomain(crd.group);
    if crd.group.is_empty() {
        errors.push(group_path.required(""));
    } else if !details.is_empty() {
        for detail in details {
            errors.push(group_path.violation(ViolationKind::Invalid, group.clone(), &detail));
        }
    } else if !crd.group.contains('.') {
        let detail = "should be a domain with at least one dot";
        errors.push(group_path.violation(ViolationKind::Invalid, group, detail));
    }
    check_one_of(
        crd.scope,
        &["Cluster", "Namespaced"],
        &path.field("scope"),
        errors,
    );
}

/// Checks that a value is present and supported.
pub(super) fn check_one_of(
    value: &str,
    supported: &[&str],
    path: &CrdPath<'_>,
    errors: &mut Vec<Violation>,
) {
    if value.is_empty() {
        errors.push(path.required(""));
    } else if !supported.contains(&value) {
        errors.push(path.not_supported(value, supported));
    }
}

/// The names that must be present.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Presence {
    /// All names, as in a spec.
    Required,
    /// No names, as in `status.acceptedNames`.
    Optional,
}

/// Checks the names of a resource.
pub(super) fn check_names(
    names: &CrdNames<'_>,
    presence: Presence,
    path: &CrdPath<'_>,
    errors: &mut Vec<Violation>,
) {
    for (field, name, allows_mixed_case) in [
        ("plural", names.plural, false),
        ("singular", names.singular.as_str(), false),
        ("kind", names.kind, true),
        ("listKind", names.list_kind.as_str(), true),
    ] {
        let path = path.field(field);
        if !name.is_empty() {
            check_name(name, allows_mixed_case, &path, errors);
        } else if presence == Presence::Required {
            errors.push(path.required(""));
        }
    }
    for (field, list) in [
        ("shortNames", names.short),
        ("categories", names.categories),
    ] {
        for (i, name) in list.iter().enumerate() {
            let name = name.as_str().unwrap_or_default();
            check_name(name, false, &path.index(field, i), errors);
        }
    }
    if !names.kind.is_empty() && names.kind == names.list_kind {
        let bad_value = BadValue::Quoted(names.list_kind.clone());
        let detail = "kind and listKind may not be the same";
        let path = path.field("listKind");
        errors.push(path.violation(ViolationKind::Invalid, bad_value, detail));
    }
}

/// Checks that a name is a DNS-1035 label. With `allows_mixed_case`, upper-case letters are allowed
/// too.
fn check_name(
    name: &str,
    allows_mixed_case: bool,
    path: &CrdPath<'_>,
    errors: &mut Vec<Violation>,
) {
    let details = if allows_mixed_case {
        check_dns1035_label(&lowercase(name))
    } else {
        check_dns1035_label(name)
    };
    let prefix = if allows_mixed_case {
        "may have mixed case, but should otherwise match: "
    } else {
        ""
    };
    for detail in details {
        let bad_value = BadValue::Quoted(name.to_owned());
        errors.push(path.violation(
            ViolationKind::Invalid,
            bad_value,
            &format!("{prefix}{detail}"),
        ));
    }
}

/// Checks that the elements of a list are unique DNS-1035 labels.
pub(super) fn check_unique_labels(
    list: &[Value],
    path: &CrdPath<'_>,
    field: &str,
    errors: &mut Vec<Violation>,
) {
    let mut seen_names = HashSet::new();
    for (i, name) in list.iter().enumerate() {
        let path = path.index(field, i);
        // Go reads null as the empty string.
        let name = name.as_str().unwrap_or_default();
        if seen_names.insert(name) {
            check_name(name, false, &path, errors);
        } else {
            let bad_value = BadValue::Quoted(name.to_owned());
            errors.push(path.violation(ViolationKind::Invalid, bad_value, "duplicate version"));
        }
    }
}

/// Checks the name of a version.
pub(super) fn check_version(name: &str, path: &CrdPath<'_>, errors: &mut Vec<Violation>) {
    check_name(name, false, path, errors);
}
