//! Validation of the scale subresource.

use serde_json::Value;

use super::paths::check_simple_path;
use crate::metadata::meta::Fields;
use crate::schema::crd_path::CrdPath;
use union_runtime::{BadValue, Violation, ViolationKind};

/// Checks the paths of the scale subresource. `at` is the path of the version.
pub(super) fn check(subresources: Option<&Value>, at: &CrdPath<'_>, errors: &mut Vec<Violation>) {
    let Some(scale) = Fields::new(subresources).get("scale") else {
        return;
    };
    let scale = Fields::new(Some(scale));
    let at = at.field("subresources");
    let at = at.field("scale");
    for (name, prefixes, parents) in [
        ("specReplicasPath", &[".spec."][..], ".spec"),
        ("statusReplicasPath", &[".status."], ".status"),
        (
            "labelSelectorPath",
            &[".spec.", ".status."],
            "either .spec or .status",
        ),
    ] {
        let path = scale.string(name);
        // The path of the label selector is optional.
        if path.is_empty() && name == "labelSelectorPath" {
            continue;
        }
        let at = at.field(name);
        if check_simple_path(path, &at, errors)
            && !prefixes.iter().any(|prefix| path.starts_with(prefix))
        {
            let found = BadValue::Quoted(path.to_owned());
            let detail = format!("should be a json path under {parents}");
            errors.push(at.violation(ViolationKind::Invalid, found, &detail));
        }
    }
}
