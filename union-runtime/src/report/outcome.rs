//! Requests that passed.

use super::changes::Changes;
use super::violation::Violation;

/// An update that passed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Accepted {
    /// The errors that are tolerated, because they are not new.
    pub ratcheted: Vec<Violation>,
}

/// A request that passed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Admitted {
    /// The changes by normalization.
    pub changes: Changes,
    /// The errors that are tolerated, because they are not new.
    pub ratcheted: Vec<Violation>,
}

impl Accepted {
    /// Returns the answer to a request that was normalized with these changes before.
    #[must_use]
    pub fn after(self, changes: Changes) -> Admitted {
        Admitted {
            changes,
            ratcheted: self.ratcheted,
        }
    }
}
