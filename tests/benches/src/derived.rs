//! What an author who derives calls, each in a function that is never inlined, like those of
//! [`by_hand`](crate::by_hand).

use union_runtime::{Changes, Report, Settings, Union as _};

use crate::Check;

/// Checks a new object, and returns all that is wrong.
#[inline(never)]
#[must_use]
pub fn validate(check: &Check) -> Report {
    check.validate_unions()
}

/// Checks an update, and returns all that is wrong and new, and beside it what is tolerated, because
/// `old` violated it for the same reason.
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
