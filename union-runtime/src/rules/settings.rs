//! How a request is treated.

use super::ratchet::Ratchet;
use super::restore_unaware::RestoreUnaware;

/// How a request is treated.
///
/// ```
/// use union_runtime::{Ratchet, RestoreUnaware, Settings};
///
/// let settings = Settings::default().ratchet(Ratchet::Unchanged).restore_unaware(RestoreUnaware::Required);
/// assert!(settings.unions);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Settings {
    /// Whether unions are normalized and validated at all: the feature gate of KEP-1027. Default: on.
    ///
    /// Schemas carry their markers either way.
    pub unions: bool,
    /// When an update may keep a violation that the old object had. Default: [`Ratchet::SameReason`].
    pub ratchet: Ratchet,
    /// When a member comes back that a client dropped because it does not know it. Default: [`RestoreUnaware::Off`].
    pub restore_unaware: RestoreUnaware,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            unions: true,
            ratchet: Ratchet::SameReason,
            restore_unaware: RestoreUnaware::Off,
        }
    }
}

impl Settings {
    /// The same settings with union checks on or off.
    #[must_use]
    pub const fn unions(mut self, on: bool) -> Self {
        self.unions = on;
        self
    }

    /// The same settings with another ratchet.
    #[must_use]
    pub const fn ratchet(mut self, ratchet: Ratchet) -> Self {
        self.ratchet = ratchet;
        self
    }

    /// The same settings with dropped members restored.
    #[must_use]
    pub const fn restore_unaware(mut self, restore: RestoreUnaware) -> Self {
        self.restore_unaware = restore;
        self
    }

    /// Whether normalization has nothing to do with an object that is settled: an optional member that is selected and
    /// unset may have to come back.
    #[doc(hidden)]
    #[inline]
    #[must_use]
    pub const fn leaves_settled(self) -> bool {
        !matches!(self.restore_unaware, RestoreUnaware::All)
    }
}
