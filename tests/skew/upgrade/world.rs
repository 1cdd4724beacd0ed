//! The differences between requests: the stored object, the client, the verb, the intended change
//! and the checks; and the possible outcomes.

use union_runtime::{Ratchet, Settings};

/// The origin of the stored object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stored {
    /// A server of version 1 wrote the object, which has no discriminator.
    ByOne,
    /// A server with `deduce` wrote the object, which has a discriminator if a member is set.
    ByTwo,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Client {
    /// A client with a struct of version 1, which drops the discriminator, and never sets it.
    One,
    /// A client with a struct of the server's version, which also sets the discriminator.
    Two,
    /// A client with plain JSON, whose author does not know the discriminator, so the discriminator
    /// stays as it is.
    Unstructured,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verb {
    /// A create of an edited copy of the stored object, under another name.
    Create,
    Replace,
    MergePatch,
    Apply,
    /// An apply of an author who also owns the discriminator, because an earlier apply of the
    /// author set it (`Changes::set`).
    ApplyOwning,
}

/// The change that the client intends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Intent {
    Echo,
    EditElsewhere,
    SetAgain,
    EditInside,
    /// The client sets a member of a union without a set member.
    Set,
    /// The client sets another member, and removes the set member.
    Switch,
    /// The client sets another member, and relies on the server to remove the set member.
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
    /// The intended object is stored.
    Honoured,
    Rejected,
    /// Several members are stored.
    Several,
    /// Another object is stored, without an error.
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
        let enabled = Settings::default();
        match self {
            Self::Disabled => enabled.unions(false),
            Self::SameReason => enabled.ratchet(Ratchet::SameReason),
            Self::Unchanged => enabled.ratchet(Ratchet::Unchanged),
            Self::NoRatchet => enabled.ratchet(Ratchet::Off),
        }
    }
}
