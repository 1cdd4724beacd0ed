//! Validation of the scale subresource.

use serde_json::Value;

use super::paths::check_simple_path;
use crate::metadata::meta::ObjectFields;
use crate::schema::crd_path::CrdPath;
use union_runtime::{BadValue, Violation, ViolationKind};

/// Checks the paths of the scale subresource. `path` is the path of the version.
pub(super) fn check(subresources: Option<&Value>, path: &CrdPath<'_>, errors: &mut Vec<Violation>) {
    let Some(scale) = ObjectFields::new(subresources).get("scale") else {
        return;
    };
    let scale = ObjectFields::new(Some(scale));
    let subresources_path = path.field("subresources");
    let scale_path = subresources_path.field("scale");
    for (name, prefixes, allowed_parents) in [
        ("specReplicasPath", &[".spec."][..], ".spec"),
        ("statusReplicasPath", &[".status."], ".status"),
        (
            "labelSelectorPath",
            &[".spec.", ".status."],
            "either .spec or .status",
        ),
    ] {
        let json_path = scale.string(name);
        // The path of the label selector is optional.
        if json_path.is_empty() && name == "labelSelectorPath" {
            continue;
        }
        let path = scale_path.field(name);
        if check_simple_path(json_path, &path, errors)
            && !prefixes.iter().any(|prefix| json_path.starts_with(prefix))
        {
            let bad_value = BadValue::Quoted(json_path.to_owned());
            let detail = format!("should be a json path under {allowed_parents}");
            errors.push(path.violation(ViolationKind::Invalid, bad_value, &detail));
        }
    }
}
