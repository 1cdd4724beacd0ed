//! Reports objects whose type the CRDs do not define: another kind, group or version.

use serde_json::Value;
use union_json::document::{Crd, CrdVersion};

use crate::input::{crd, object};

/// The maximum number of CRDs that a message names.
const MAX_NAMED_CRDS: usize = 3;

/// The reason why no version of the CRDs describes an object.
pub(super) struct TypeMismatch {
    /// The JSON pointer of the field with the unexpected value, in the object.
    pub(super) pointer: &'static str,
    pub(super) message: String,
}

impl TypeMismatch {
    /// Compares the type of an object with the types that the CRDs define; `None` if they define
    /// the type. An object without `kind` or `apiVersion` is an object of the only CRD.
    pub(super) fn find(value: &Value, crds: &[Crd<'_>]) -> Option<Self> {
        if !value.is_object() {
            let type_name = object::json_type_name(value);
            return Some(Self {
                pointer: "",
                message: format!("expected an object, found {type_name}"),
            });
        }
        let Some(object_type) = object::group_version_kind(value) else {
            return (crds.len() > 1).then(|| Self {
                pointer: "",
                message: "the object needs `apiVersion` and `kind`, because there are several CRDs"
                    .to_owned(),
            });
        };
        let mut matching_crds = crds.iter();
        let matching_crd = matching_crds.find(|crd| crd::is_for_type(**crd, object_type));
        if let Some(crd) = matching_crd {
            return Self::find_in_version(*crd, object_type.version, object_type.kind);
        }
        let has_same_kind = |crd: &Crd<'_>| crd.kind() == Some(object_type.kind);
        let article = match object_type.kind.chars().next() {
            Some('A' | 'E' | 'I' | 'O' | 'U') => "an",
            _ => "a",
        };
        let (kind, group) = (object_type.kind, object_type.group);
        let group = if group.is_empty() {
            "the core group"
        } else {
            group
        };
        Some(Self {
            pointer: if crds.iter().any(has_same_kind) {
                "/apiVersion"
            } else {
                "/kind"
            },
            message: format!(
                "the object is {article} {kind} of {group}, but {}",
                defined_kinds(crds)
            ),
        })
    }

    fn find_in_version(crd: Crd<'_>, version_name: &str, kind: &str) -> Option<Self> {
        // A CRD of an unknown form has no list of versions, and an error of its own.
        let version = crd.version(version_name);
        if !crd.has_version_list() || version.is_some_and(crd::is_served) {
            return None;
        }
        let reason = if version.is_some() {
            "is not served"
        } else {
            "is not defined by the CRD"
        };
        let served = crd.versions().filter(|version| crd::is_served(*version));
        let served: Vec<String> = served
            .filter_map(CrdVersion::name)
            .map(|name| format!("`{}/{name}`", crd.group().unwrap_or_default()))
            .collect();
        Some(Self {
            pointer: "/apiVersion",
            message: format!(
                "the version {version_name:?} of {kind} {reason}; use {}",
                served.join(" or ")
            ),
        })
    }
}

/// Returns the kinds of the CRDs for a message: `the CRD defines Backup of example.com`.
fn defined_kinds(crds: &[Crd<'_>]) -> String {
    let named = crds.iter().take(MAX_NAMED_CRDS);
    let named: Vec<String> = named.map(|crd| crd::kind_and_group(*crd)).collect();
    let named = named.join(", ");
    let others = match crds.len().saturating_sub(MAX_NAMED_CRDS) {
        0 => String::new(),
        1 => " and 1 other".to_owned(),
        more => format!(" and {more} others"),
    };
    let subject = if crds.len() == 1 {
        "the CRD defines"
    } else {
        "the CRDs define"
    };
    format!("{subject} {named}{others}")
}
