//! What an author who derives calls, each in a function that is never inlined, like those of
//! [`by_hand`](crate::by_hand).

use union_runtime::{Accepted, Changes, Union as _, Violations};

use crate::Check;

/// Checks a new object.
///
/// # Errors
///
/// All that is wrong.
#[inline(never)]
pub fn validate(check: &Check) -> Result<(), Violations> {
    check.validate_unions()
}

/// Checks an update; what `old` violated for the same reason is tolerated and returned.
///
/// # Errors
///
/// All that is wrong, and new.
#[inline(never)]
pub fn validate_update(new: &Check, old: &Check) -> Result<Accepted, Violations> {
    new.validate_unions_update(old)
}

/// Clears the members that a changed discriminator left behind, and returns their paths.
#[inline(never)]
pub fn normalize(new: &mut Check, old: Option<&Check>) -> Changes {
    new.normalize_unions(old)
}
