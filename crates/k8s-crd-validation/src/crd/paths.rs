//! JSON paths in printer columns and subresources.

use crate::schema::crd_path::CrdPath;
use union_runtime::Violation;

/// Checks that the JSON path at `path` is not empty and starts with a dot, as a server does.
/// Returns true if the JSON path is valid.
pub(super) fn check_simple_path(
    json_path: &str,
    path: &CrdPath<'_>,
    errors: &mut Vec<Violation>,
) -> bool {
    let is_valid = json_path.starts_with('.');
    if !is_valid {
        let detail = if json_path.is_empty() {
            ""
        } else {
            "must be a simple json path starting with ."
        };
        errors.push(path.invalid_or_required(json_path, detail));
    }
    is_valid
}
