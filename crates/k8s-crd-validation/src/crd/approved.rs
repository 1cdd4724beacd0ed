//! The approval of CRDs in the API groups of Kubernetes itself.

use super::definition::Definition;
use crate::metadata::meta::Fields;
use crate::schema::place::Place;
use k8s_go_text::net::url::Url;
use k8s_json_internals::quote::Quoted;
use union_runtime::path::FieldPath;
use union_runtime::{Found, Violation, ViolationKind};

const ANNOTATION: &str = "api-approved.kubernetes.io";
const SEE: &str = "see https://github.com/kubernetes/enhancements/pull/1111";

/// The state of the approval annotation.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Missing,
    Invalid,
    Unapproved,
    Approved,
}

fn said<'v>(crd: &Definition<'v>) -> &'v str {
    let annotations = Fields::of(crd.metadata).inside("annotations");
    annotations.text(ANNOTATION)
}

fn state(crd: &Definition<'_>) -> State {
    match said(crd) {
        "" => State::Missing,
        text if text.starts_with("unapproved") => State::Unapproved,
        text => match Url::parse_request(text) {
            Ok(url) if !url.scheme.is_empty() && !url.host.is_empty() => State::Approved,
            _ => State::Invalid,
        },
    }
}

fn is_protected(group: &str) -> bool {
    ["k8s.io", "kubernetes.io"].iter().any(|own| {
        let before = group.strip_suffix(own);
        before.is_some_and(|before| before.is_empty() || before.ends_with('.'))
    })
}

/// Checks the approval annotation of a CRD in a protected group. An update that keeps the state is
/// accepted.
pub(super) fn check(
    crd: &Definition<'_>,
    old: Option<&Definition<'_>>,
    errors: &mut Vec<Violation>,
) {
    if !is_protected(crd.group) {
        return;
    }
    let state = state(crd);
    if old.is_some_and(|old| self::state(old) == state) {
        return;
    }
    let at = FieldPath::from(["metadata", "annotations"]).key(ANNOTATION);
    let at = Place::root(&at);
    let has = format!(
        "protected groups must have approval annotation {}",
        Quoted(ANNOTATION)
    );
    match state {
        State::Approved | State::Unapproved => {}
        State::Missing => errors.push(at.required(&format!("{has}, {SEE}"))),
        State::Invalid => {
            let found = Found::Text(said(crd).to_owned());
            let detail =
                format!("{has} with either a URL or a reason starting with \"unapproved\", {SEE}");
            errors.push(at.found(ViolationKind::Invalid, found, &detail));
        }
    }
}
