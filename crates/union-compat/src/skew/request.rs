//! Intents of clients, and the requests that clients send.

use serde_json::{Value, json};

use crate::json;

/// The type of a client, by the representation of its objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClientType {
    /// A client with a struct of its version, which drops unknown fields. Unknown values of the
    /// discriminator are kept, as by a string or by an enum with `other`.
    Structured,
    /// A client with a map, which keeps all fields.
    Unstructured,
}

/// The verb of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestVerb {
    /// A request that creates an object (POST).
    Create,
    /// A request that replaces the whole object (PUT).
    Replace,
    /// A JSON merge patch with the differences between the object that the client read and the
    /// object that it wants.
    MergePatch,
    /// Server-side apply of the fields that the client knows. The client owns all of these fields,
    /// and applies with `force`, as controllers do.
    Apply,
    /// Server-side apply by a client that owns all set fields, even fields that it does not know,
    /// because a newer version of the client applied them before a rollback.
    ApplyOwning,
}

/// The change of a union that a client intends. `M` identifies a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Intent<M> {
    /// The client changes no field.
    Unchanged,
    /// The client changes a field outside of the union.
    EditElsewhere,
    /// The client changes a field inside the set member.
    EditMember,
    /// The client sets this member, and selects it if the union has a discriminator. It does not
    /// unset the previous member.
    SetMember(M),
    /// The client sets this member like [`SetMember`](Self::SetMember), and unsets every other
    /// member that it knows.
    SwitchMember(M),
    /// The client unsets the members that it knows.
    ClearMembers,
}

/// The result of a request for the client's intent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntentOutcome {
    /// The object that the client wanted is stored, without other changes.
    Honoured,
    /// The stored object did not change, and the client received an error.
    Rejected,
    /// A different object is stored, and the client received no error.
    Lost,
}

/// A request of a client.
#[derive(Clone, Debug, PartialEq)]
pub enum Request {
    /// The new object of [`RequestVerb::Create`].
    Create(Value),
    /// The whole object of [`RequestVerb::Replace`].
    Replace(Value),
    /// The patch of [`RequestVerb::MergePatch`].
    MergePatch(Value),
    /// The fields of [`RequestVerb::Apply`] and [`RequestVerb::ApplyOwning`].
    Apply {
        /// The fields that the client applied before. They are not part of the request: the server
        /// reads them from the managed fields.
        last: Value,
        /// The fields that the client applies now.
        applied: Value,
    },
}

/// The object that results from applying a request to a live object, before pruning.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct MergedObject<'r> {
    /// The resulting object.
    pub object: Value,
    /// The applied fields of [`Request::Apply`].
    pub applied: Option<&'r Value>,
}

impl<M> Intent<M> {
    /// Returns true if the client does not intend to change the union.
    #[must_use]
    pub const fn is_union_unchanged(&self) -> bool {
        matches!(self, Self::Unchanged | Self::EditElsewhere)
    }
}

impl Request {
    /// Returns the request of a client for the `live` object. `read_object` is the client's
    /// representation of the object, and `known_fields` contains only the fields that the client's
    /// version knows. `edit` returns an object with the intended change.
    #[must_use]
    pub fn for_verb(
        verb: RequestVerb,
        live: &Value,
        read_object: &Value,
        known_fields: &Value,
        edit: impl Fn(&Value) -> Value,
    ) -> Self {
        match verb {
            RequestVerb::Create => Self::Create(edit(read_object)),
            RequestVerb::Replace => Self::Replace(edit(read_object)),
            RequestVerb::MergePatch => {
                let patch = json::create_merge_patch(read_object, &edit(read_object));
                Self::MergePatch(patch.unwrap_or_else(|| json!({})))
            }
            // A client builds the applied object itself, so it contains only known fields.
            RequestVerb::Apply => Self::Apply {
                last: known_fields.clone(),
                applied: edit(known_fields),
            },
            RequestVerb::ApplyOwning => Self::Apply {
                last: live.clone(),
                applied: edit(read_object),
            },
        }
    }

    /// Returns the object that results from applying the request to the `live` object.
    #[must_use]
    pub fn apply_to(&self, live: &Value) -> MergedObject<'_> {
        let without_apply = |object| MergedObject {
            object,
            applied: None,
        };
        match self {
            Self::Create(object) | Self::Replace(object) => without_apply(object.clone()),
            Self::MergePatch(patch) => {
                let mut merged = live.clone();
                json::merge_patch(&mut merged, patch);
                without_apply(merged)
            }
            Self::Apply { last, applied } => MergedObject {
                object: json::apply(live, last, applied),
                applied: Some(applied),
            },
        }
    }
}

/// The explanation of the outcomes, below the table.
#[doc(hidden)]
pub const LEGEND: &str = "\
honoured   the change that the client wanted is stored, and no other change
refused    nothing is changed, and the client gets an error
LOST       another change is stored, without an error
LOST (1)   the same, as a limit of the model: a structured client drops an optional member that it does not know. A
           client that knows the member and unsets it sends the same request. `RestoreUnaware::All` restores the member
-          this request does not exist:
";

/// The name of [`IntentOutcome::Lost`] in the table, if the loss is a limit of the model.
#[doc(hidden)]
pub const LOST_BY_LIMIT: &str = "LOST (1)";

/// The explanation of the row names, below the table.
#[doc(hidden)]
pub const ROW_LEGEND: &str = "\
set        the client sets a member and selects it; the server must remove the others
switch     the same, and the client removes the other members that it knows
clear      no member is to be set; with a discriminator the client selects \"\"
apply      server-side apply of all fields that the client knows; fields that it owned and does not apply are removed
";

impl IntentOutcome {
    /// Returns the name of the outcome in the table.
    #[doc(hidden)]
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Honoured => "honoured",
            Self::Rejected => "refused",
            Self::Lost => "LOST",
        }
    }
}
