//! The approval of CRDs in the API groups of Kubernetes itself: `k8s.io`, `kubernetes.io` and their
//! subdomains. Such a CRD needs an annotation with the URL of the approval, or with a value that
//! begins with `unapproved`.

use super::definition::CrdDefinition;
use crate::metadata::meta::ObjectFields;
use crate::schema::crd_path::CrdPath;
use k8s_go_text::net::url::Url;
use k8s_json_internals::quote::GoQuoted;
use union_runtime::path::FieldPath;
use union_runtime::{BadValue, Violation, ViolationKind};

const ANNOTATION: &str = "api-approved.kubernetes.io";
const REFERENCE: &str = "see https://github.com/kubernetes/enhancements/pull/1111";

/// The state of the approval annotation.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ApprovalState {
    Missing,
    Invalid,
    Unapproved,
    Approved,
}

/// Returns the value of the approval annotation, or an empty string if it is missing.
fn approval_annotation<'v>(crd: &CrdDefinition<'v>) -> &'v str {
    let annotations = ObjectFields::new(crd.metadata).object("annotations");
    annotations.string(ANNOTATION)
}

/// Returns the state of the approval annotation.
fn state(crd: &CrdDefinition<'_>) -> ApprovalState {
    match approval_annotation(crd) {
        "" => ApprovalState::Missing,
        annotation if annotation.starts_with("unapproved") => ApprovalState::Unapproved,
        annotation => match Url::parse_request_uri(annotation) {
            Ok(url) if !url.scheme.is_empty() && !url.host.is_empty() => ApprovalState::Approved,
            _ => ApprovalState::Invalid,
        },
    }
}

/// Returns true if a group is reserved for Kubernetes.
fn is_protected(group: &str) -> bool {
    ["k8s.io", "kubernetes.io"].iter().any(|protected| {
        let rest = group.strip_suffix(protected);
        rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
    })
}

/// Checks the approval annotation of a CRD in a protected group. An update that keeps the
/// [`ApprovalState`] is accepted.
pub(super) fn check(
    crd: &CrdDefinition<'_>,
    old: Option<&CrdDefinition<'_>>,
    errors: &mut Vec<Violation>,
) {
    if !is_protected(crd.group) {
        return;
    }
    let state = state(crd);
    if old.is_some_and(|old| self::state(old) == state) {
        return;
    }
    let path = FieldPath::from(["metadata", "annotations"]).key(ANNOTATION);
    let path = CrdPath::root(&path);
    let requirement = format!(
        "protected groups must have approval annotation {}",
        GoQuoted(ANNOTATION)
    );
    match state {
        ApprovalState::Approved | ApprovalState::Unapproved => {}
        ApprovalState::Missing => {
            errors.push(path.required(&format!("{requirement}, {REFERENCE}")));
        }
        ApprovalState::Invalid => {
            let value = BadValue::Quoted(approval_annotation(crd).to_owned());
            let detail = format!(
                "{requirement} with either a URL or a reason starting with \"unapproved\", {REFERENCE}"
            );
            errors.push(path.violation(ViolationKind::Invalid, value, &detail));
        }
    }
}
