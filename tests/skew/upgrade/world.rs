//! What can differ from one request to another: what is stored, who asks, how, for what, and how it is checked; and what
//! can come of it.

use union_runtime::{Ratchet, Settings};

/// How the stored object got there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stored {
    /// Version 1's server wrote it: no discriminator.
    ByOne,
    /// A server with `deduce` wrote it since: a discriminator where a member is set.
    ByTwo,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Client {
    /// A struct of version 1: it drops the discriminator, and never sets it.
    One,
    /// A struct of the server's version: it sets the discriminator too.
    Two,
    /// Any JSON, written by somebody who does not know the discriminator: what is there stays.
    Unstructured,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verb {
    /// A copy of the stored object, edited, under another name.
    Create,
    Replace,
    MergePatch,
    Apply,
    /// The same, where the author owns the discriminator too: its last request set it (`Changes::set`).
    ApplyOwning,
}

/// What the client wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Want {
    Echo,
    EditElsewhere,
    SetAgain,
    EditInside,
    /// A member, where none is set.
    Set,
    /// Another member in place of the one that is set, which the client removes.
    Switch,
    /// The same, but the client leaves it to the server to remove the one that is set.
    Add,
    Clear,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Checks {
    Disabled,
    SameReason,
    Unchanged,
    NoRatchet,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// What was asked for is stored.
    Honoured,
    Refused,
    /// Several members are stored.
    Several,
    /// What was asked for is not stored, and nobody says so.
    Lost,
}

pub(crate) const VERBS: [Verb; 5] = [
    Verb::Create,
    Verb::Replace,
    Verb::MergePatch,
    Verb::Apply,
    Verb::ApplyOwning,
];
pub(crate) const CLIENTS: [Client; 3] = [Client::One, Client::Two, Client::Unstructured];
pub(crate) const CHECKS: [Checks; 4] = [
    Checks::Disabled,
    Checks::SameReason,
    Checks::Unchanged,
    Checks::NoRatchet,
];

impl Checks {
    pub(crate) fn settings(self) -> Settings {
        let on = Settings::default();
        match self {
            Self::Disabled => on.unions(false),
            Self::SameReason => on.ratchet(Ratchet::SameReason),
            Self::Unchanged => on.ratchet(Ratchet::Unchanged),
            Self::NoRatchet => on.ratchet(Ratchet::Off),
        }
    }
}
