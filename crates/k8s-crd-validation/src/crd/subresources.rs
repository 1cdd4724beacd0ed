//! The scale subresource.

use serde_json::Value;

use super::paths::check_simple;
use crate::metadata::meta::Fields;
use crate::schema::place::Place;
use union_runtime::{Found, Violation, ViolationKind};

pub(super) fn check(subresources: Option<&Value>, at: &Place<'_>, errors: &mut Vec<Violation>) {
    let Some(scale) = Fields::of(subresources).get("scale") else {
        return;
    };
    let scale = Fields::of(Some(scale));
    let at = at.field("subresources");
    let at = at.field("scale");
    for (name, starts, places) in [
        ("specReplicasPath", &[".spec."][..], ".spec"),
        ("statusReplicasPath", &[".status."], ".status"),
        (
            "labelSelectorPath",
            &[".spec.", ".status."],
            "either .spec or .status",
        ),
    ] {
        let path = scale.text(name);
        // The path of the label selector is optional.
        if path.is_empty() && name == "labelSelectorPath" {
            continue;
        }
        let at = at.field(name);
        if check_simple(path, &at, errors) && !starts.iter().any(|start| path.starts_with(start)) {
            let found = Found::Text(path.to_owned());
            let detail = format!("should be a json path under {places}");
            errors.push(at.found(ViolationKind::Invalid, found, &detail));
        }
    }
}
