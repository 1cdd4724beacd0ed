//! The functions that an author calls after `derive(Union)`. Each function is never inlined, like
//! the functions of [`by_hand`](crate::by_hand).

use union_runtime::{Changes, Report, Settings, Union as _};

use crate::Check;

/// Validates a new object, and returns a report with all errors.
#[inline(never)]
#[must_use]
pub fn validate(check: &Check) -> Report {
    check.validate_unions()
}

/// Validates an update. The report has the new errors, and the errors that are tolerated,
/// because `old` has them for the same reason.
#[inline(never)]
#[must_use]
pub fn validate_update(new: &Check, old: &Check) -> Report {
    new.validate_unions_update(old, &Settings::default())
}

/// Clears the members that a changed discriminator left behind, and returns their paths.
#[inline(never)]
pub fn normalize(new: &mut Check, old: Option<&Check>) -> Changes {
    new.normalize_unions(old, &Settings::default())
}
