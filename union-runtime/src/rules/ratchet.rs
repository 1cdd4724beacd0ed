//! Ratcheting: a violation is tolerated, because it is not new.

use super::validate::{Finding, Found};
use crate::view::state::State;

/// When an update may keep a violation that the old object had.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Ratchet {
    /// When the old object has it too, for the same reason (KEP-1027, "Ratcheting Validation"): the discriminator is as it
    /// was; and so is whether the member is set, where it is about a member; and no member was added, where several are
    /// set; and serde says the same, where a member cannot be read ([`Why::Unreadable`](crate::Why::Unreadable)). In a list
    /// without keys: when the list is unchanged (KEP-4008).
    #[default]
    SameReason,
    /// When the struct that holds the union, or the list without keys that it is in, equals what it is correlated with
    /// (KEP-4008).
    Unchanged,
    /// Never (KEP-1027, alpha).
    Off,
}

/// Whether `old` has what was found, and for the same reason.
///
/// For the discriminator: it is unchanged. For a member: the discriminator and that member's being set are unchanged. For
/// several set members: the discriminator is unchanged, and the set ones are among the old ones. For a member that cannot be
/// read: serde says the same of the old one. Both sides are judged by one rule, so equal inputs mean equal findings; `old` need
/// not be judged again.
pub(crate) fn same_reason(found: Found<'_>, old: State<'_>) -> bool {
    let new = found.state;
    if new.selected() != old.selected() {
        return false;
    }
    let changed = new.members_set() ^ old.members_set();
    match found.finding {
        Finding::Missing | Finding::Unsupported => true,
        // More of the same is new.
        Finding::Several => {
            old.members_set().count_ones() > 1 && new.members_set() & !old.members_set() == 0
        }
        Finding::NoneSet => changed == 0,
        Finding::NotSelected(position) | Finding::Unset(position) => {
            changed & found.spec.bit_of(position) == 0
        }
        Finding::Unreadable => new.unreadable() == old.unreadable(),
    }
}
