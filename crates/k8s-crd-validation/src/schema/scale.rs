//! The paths of the scale subresource.

use serde_json::Value;
use union_runtime::path::{FieldPath, PathStep};

/// The paths of the scale subresource, such as `.spec.replicas`.
#[derive(Clone, Debug, Default)]
pub(crate) struct ScalePaths {
    pub(crate) replicas: Vec<ReplicasPath>,
    /// The value of `labelSelectorPath`.
    pub(crate) selector: Option<FieldPath>,
}

/// The path of a number of replicas: `specReplicasPath` or `statusReplicasPath`.
#[derive(Clone, Debug)]
pub(crate) struct ReplicasPath {
    pub(crate) path: FieldPath,
    /// True for `statusReplicasPath`.
    pub(crate) is_status: bool,
}

impl ScalePaths {
    /// Reads `subresources.scale` of a version of a CRD.
    pub(crate) fn from_version(version: &Value) -> Self {
        let path = |name: &str| {
            let path = version.pointer(&format!("/subresources/scale/{name}"));
            path.and_then(Value::as_str).map(parse_json_path)
        };
        let replicas = [("specReplicasPath", false), ("statusReplicasPath", true)];
        let replicas = replicas.into_iter();
        Self {
            replicas: replicas
                .filter_map(|(name, is_status)| {
                    let path = path(name)?;
                    Some(ReplicasPath { path, is_status })
                })
                .collect(),
            selector: path("labelSelectorPath"),
        }
    }
}

/// Parses a simple JSON path, such as `.spec.replicas`. Errors print the path as the CRD has it,
/// with the leading dot.
fn parse_json_path(path: &str) -> FieldPath {
    let fields = path.trim_start_matches('.').split('.').map(PathStep::Field);
    fields.collect::<FieldPath>().with_printed_form(path)
}
