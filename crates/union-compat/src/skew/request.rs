//! What clients want, and what they send.

use serde_json::{Value, json};

use crate::json;

/// What objects go through in a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClientKind {
    /// A struct of its version: fields that it does not know are dropped. A discriminator value that it does not know is
    /// kept, as a string type or an enum type with `other` keeps it.
    Structured,
    /// A map: all that is there is kept, known or not.
    Unstructured,
}

/// How a client sends what it wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verb {
    /// A new object.
    Create,
    /// The whole object (PUT).
    Replace,
    /// What differs between what it read and what it wants (JSON merge patch).
    MergePatch,
    /// Server-side apply: the fields that the client knows, all of which it owns, with force, as controllers do.
    Apply,
    /// The same from a client that owns all that is set, though it does not know it: it was rolled back, and its newer
    /// version applied what is set.
    ApplyOwning,
}

/// What a client wants of a union, whose members are named by `M`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Intent<M> {
    /// All is to stay as it is.
    Echo,
    /// A field outside of the union is to change.
    EditElsewhere,
    /// A field inside of the member that is set is to change.
    EditInside,
    /// This member is to be set in place of the one that is. The client takes nothing out; it selects the member, where
    /// there is a discriminator.
    Set(M),
    /// The same, and the client takes out every other member that it knows.
    Switch(M),
    /// No member is to be set.
    Clear,
}

/// What happened to a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// What was wanted is stored, and nothing else changed.
    Honoured,
    /// Nothing changed, and the client was told.
    Refused,
    /// Something else is stored, and nobody was told.
    Lost,
}

/// What a client sends.
#[derive(Clone, Debug, PartialEq)]
pub enum Request {
    /// See [`Verb::Create`].
    Create(Value),
    /// See [`Verb::Replace`].
    Replace(Value),
    /// See [`Verb::MergePatch`].
    MergePatch(Value),
    /// See [`Verb::Apply`].
    Apply {
        /// What the client applied before. It does not send that: the server has it as managed fields.
        last: Value,
        /// What it applies now.
        applied: Value,
    },
}

/// The object that a request makes of a live object, before anything is pruned.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Merged<'r> {
    /// The object.
    pub object: Value,
    /// The fields that were applied, for [`Request::Apply`].
    pub applied: Option<&'r Value>,
}

impl<M> Intent<M> {
    /// Whether the client leaves the union as it is.
    #[must_use]
    pub const fn leaves_union(&self) -> bool {
        matches!(self, Self::Echo | Self::EditElsewhere)
    }
}

impl Request {
    /// What a client sends about the `live` object. It has `read` this, of which it has `known` so much; `edited` does what it
    /// wants to either.
    #[must_use]
    pub fn of(
        verb: Verb,
        live: &Value,
        read: &Value,
        known: &Value,
        edited: impl Fn(&Value) -> Value,
    ) -> Self {
        match verb {
            Verb::Create => Self::Create(edited(read)),
            Verb::Replace => Self::Replace(edited(read)),
            Verb::MergePatch => {
                let patch = json::merge_diff(read, &edited(read));
                Self::MergePatch(patch.unwrap_or_else(|| json!({})))
            }
            // Somebody writes what is applied, so of any client it is no more than it knows.
            Verb::Apply => Self::Apply {
                last: known.clone(),
                applied: edited(known),
            },
            Verb::ApplyOwning => Self::Apply {
                last: live.clone(),
                applied: edited(read),
            },
        }
    }

    /// Returns the object that the request makes of the `live` one.
    #[must_use]
    pub fn merged(&self, live: &Value) -> Merged<'_> {
        let unapplied = |object| Merged {
            object,
            applied: None,
        };
        match self {
            Self::Create(object) | Self::Replace(object) => unapplied(object.clone()),
            Self::MergePatch(patch) => {
                let mut new = live.clone();
                json::merge_patch(&mut new, patch);
                unapplied(new)
            }
            Self::Apply { last, applied } => Merged {
                object: json::apply(live, last, applied),
                applied: Some(applied),
            },
        }
    }
}

/// What the texts of verdicts mean, for people.
#[doc(hidden)]
pub const LEGEND: &str = "\
honoured   what the client wanted is stored, and nothing else changed
refused    nothing changed, and the client was told why
LOST       something else is stored, and nobody was told
LOST (1)   the same, and the model's limit: an optional member that a structured client drops, because it does not know
           it. Whoever knows the member and wants it unset sends the very same. `RestoreUnaware::All` puts it back
-          there is no such request:
";

/// The name of [`Verdict::Lost`] in the table if the loss is the model's limit.
#[doc(hidden)]
pub const LIMIT: &str = "LOST (1)";

/// What the names of the rows mean, for people.
#[doc(hidden)]
pub const ROWS: &str = "\
set        the client sets a member and selects it; to take out the others is left to the server
switch     the same, and the client takes out the others, those that it knows
clear      no member is to be set; with a discriminator the client selects \"\"
apply      server-side apply of all that the client knows; it owns that, and what it does not apply any more goes
";

impl Verdict {
    /// Returns the name of the verdict in the table.
    #[doc(hidden)]
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::Honoured => "honoured",
            Self::Refused => "refused",
            Self::Lost => "LOST",
        }
    }
}
