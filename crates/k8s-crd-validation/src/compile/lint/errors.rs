//! The errors of a schema, as they are collected.

use union_runtime::Violation;

/// The errors so far, and whether one keeps the schema from being looked at any further.
pub(super) type Errors = Vec<(Violation, bool)>;

pub(super) fn violations(errors: Errors) -> Vec<Violation> {
    errors.into_iter().map(|(violation, _)| violation).collect()
}
