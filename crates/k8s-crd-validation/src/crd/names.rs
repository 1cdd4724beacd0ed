//! The names, the group and the scope of a CRD.

use serde_json::Value;

use super::definition::{Definition, Names};
use crate::metadata::meta::names::{dns_1035_label, lowercase, subdomain};
use crate::schema::place::Place;
use union_runtime::{Found, Violation, ViolationKind};

/// Checks the group and the scope.
pub(super) fn check_identity(crd: &Definition<'_>, at: &Place<'_>, errors: &mut Vec<Violation>) {
    let at_group = at.field("group");
    let group = Found::Text(crd.group.to_owned());
    let wrong = subdomain(crd.group);
    if crd.group.is_empty() {
        errors.push(at_group.required(""));
    } else if !wrong.is_empty() {
        for wrong in wrong {
            errors.push(at_group.found(ViolationKind::Invalid, group.clone(), &wrong));
        }
    } else if !crd.group.contains('.') {
        let detail = "should be a domain with at least one dot";
        errors.push(at_group.found(ViolationKind::Invalid, group, detail));
    }
    one_of(
        crd.scope,
        &["Cluster", "Namespaced"],
        &at.field("scope"),
        errors,
    );
}

/// Checks that a string is one of the known values.
pub(super) fn one_of(text: &str, known: &[&str], at: &Place<'_>, errors: &mut Vec<Violation>) {
    if text.is_empty() {
        errors.push(at.required(""));
    } else if !known.contains(&text) {
        errors.push(at.unsupported(text, known));
    }
}

/// The presence of names. A spec must have all names; the accepted names in the status may be
/// missing.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Presence {
    Required,
    Optional,
}

/// Checks the names of the resource.
pub(super) fn check_names(
    names: &Names<'_>,
    presence: Presence,
    at: &Place<'_>,
    errors: &mut Vec<Violation>,
) {
    for (field, name, may_be_mixed) in [
        ("plural", names.plural, false),
        ("singular", names.singular.as_str(), false),
        ("kind", names.kind, true),
        ("listKind", names.list_kind.as_str(), true),
    ] {
        let at = at.field(field);
        if !name.is_empty() {
            check_name(name, may_be_mixed, &at, errors);
        } else if presence == Presence::Required {
            errors.push(at.required(""));
        }
    }
    for (field, list) in [
        ("shortNames", names.short),
        ("categories", names.categories),
    ] {
        for (i, name) in list.iter().enumerate() {
            let name = name.as_str().unwrap_or_default();
            check_name(name, false, &at.index(field, i), errors);
        }
    }
    if !names.kind.is_empty() && names.kind == names.list_kind {
        let found = Found::Text(names.list_kind.clone());
        let detail = "kind and listKind may not be the same";
        let at = at.field("listKind");
        errors.push(at.found(ViolationKind::Invalid, found, detail));
    }
}

fn check_name(name: &str, may_be_mixed: bool, at: &Place<'_>, errors: &mut Vec<Violation>) {
    let wrong = if may_be_mixed {
        dns_1035_label(&lowercase(name))
    } else {
        dns_1035_label(name)
    };
    let prefix = if may_be_mixed {
        "may have mixed case, but should otherwise match: "
    } else {
        ""
    };
    for wrong in wrong {
        let found = Found::Text(name.to_owned());
        errors.push(at.found(ViolationKind::Invalid, found, &format!("{prefix}{wrong}")));
    }
}

/// Checks that the elements of a list are unique DNS-1035 labels.
pub(super) fn check_unique_labels(
    list: &[Value],
    at: &Place<'_>,
    field: &str,
    errors: &mut Vec<Violation>,
) {
    for (i, name) in list.iter().enumerate() {
        let at = at.index(field, i);
        if list.iter().take(i).any(|other| other == name) {
            let found = Found::Text(name.as_str().unwrap_or_default().to_owned());
            errors.push(at.found(ViolationKind::Invalid, found, "duplicate version"));
        } else {
            check_name(name.as_str().unwrap_or_default(), false, &at, errors);
        }
    }
}

/// Checks the name of a version.
pub(super) fn check_version(name: &str, at: &Place<'_>, errors: &mut Vec<Violation>) {
    check_name(name, false, at, errors);
}
