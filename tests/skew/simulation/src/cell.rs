//! The axes of the matrix, and the cells whose request is possible.

use serde_json::Value;
use union_compat::skew::{ClientType, Request, RequestVerb};

use crate::api::{Form, Member, Need, Union, Version, object};
use crate::client::{Client, Intent, is_possible};

/// One request of a client to a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// The client and its request.
    pub row: Row,
    /// The server and its union.
    pub column: Column,
}

/// A row of the matrix: the client, the verb and the intent of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// The client that sends the request.
    pub client: Client,
    /// The verb of the request.
    pub verb: RequestVerb,
    /// The change that the client intends.
    pub intent: Intent,
}

/// A column of the matrix: a server and its union.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    /// The version of the server.
    pub server: Version,
    /// The declaration of the union.
    pub union: Union,
}

/// All clients.
pub const CLIENTS: [Client; 4] = [
    client(ClientType::Structured, Version::Older),
    client(ClientType::Structured, Version::Newer),
    client(ClientType::Unstructured, Version::Older),
    client(ClientType::Unstructured, Version::Newer),
];

/// All verbs.
pub const VERBS: [RequestVerb; 5] = [
    RequestVerb::Create,
    RequestVerb::Replace,
    RequestVerb::MergePatch,
    RequestVerb::Apply,
    RequestVerb::ApplyOwning,
];

/// All intents.
pub const INTENTS: [Intent; 8] = [
    Intent::Unchanged,
    Intent::EditElsewhere,
    Intent::EditMember,
    Intent::SetMember(Member::Volume),
    Intent::SetMember(Member::Tape),
    Intent::SwitchMember(Member::Volume),
    Intent::SwitchMember(Member::Tape),
    Intent::ClearMembers,
];

/// All servers and unions.
///
/// Two axes are left out where they make no difference. Without a discriminator every member may be
/// unset, and a server that does not know `tape` does not care about the requirement of `tape`.
pub const COLUMNS: [Column; 10] = [
    discriminated(Version::Newer, Need::Required, Need::Required),
    discriminated(Version::Newer, Need::Required, Need::Optional),
    discriminated(Version::Newer, Need::Optional, Need::Required),
    discriminated(Version::Newer, Need::Optional, Need::Optional),
    undiscriminated(Version::Newer, Need::Required),
    undiscriminated(Version::Newer, Need::Optional),
    discriminated(Version::Older, Need::Required, Need::Required),
    discriminated(Version::Older, Need::Optional, Need::Required),
    undiscriminated(Version::Older, Need::Required),
    undiscriminated(Version::Older, Need::Optional),
];

const fn client(kind: ClientType, version: Version) -> Client {
    Client { kind, version }
}

const fn discriminated(server: Version, need: Need, tape: Need) -> Column {
    let form = Form::Discriminator { tape };
    let union = Union { need, form };
    Column { server, union }
}

const fn undiscriminated(server: Version, need: Need) -> Column {
    let form = Form::Undiscriminated;
    let union = Union { need, form };
    Column { server, union }
}

impl Row {
    /// Returns all rows.
    pub fn all_rows() -> impl Iterator<Item = Self> {
        CLIENTS.into_iter().flat_map(|client| {
            VERBS.into_iter().flat_map(move |verb| {
                INTENTS.into_iter().map(move |intent| Self {
                    client,
                    verb,
                    intent,
                })
            })
        })
    }
}

impl Cell {
    /// Returns the member that is set in the stored object, or `None` on a create.
    ///
    /// The member is the newest member that the server can have stored, because the versions differ
    /// there. A client that sets `tape` or switches to `tape` starts from another member.
    #[must_use]
    pub fn stored_member(self) -> Option<Member> {
        match (self.row.verb, self.row.intent, self.column.server) {
            (RequestVerb::Create, ..) => None,
            (_, Intent::SetMember(Member::Tape) | Intent::SwitchMember(Member::Tape), _)
            | (_, _, Version::Older) => Some(Member::S3),
            (_, _, Version::Newer) => Some(Member::Tape),
        }
    }

    /// Returns the object that is stored before the request, or `None` on a create.
    #[must_use]
    pub fn stored_object(self) -> Option<Value> {
        let member = self.stored_member()?;
        Some(object(7, Some((member, "first")), self.column.union))
    }

    /// Returns the request that the client sends.
    #[must_use]
    pub fn request(self) -> Request {
        let Row {
            client,
            verb,
            intent,
        } = self.row;
        client.request(
            verb,
            intent,
            self.stored_object().as_ref(),
            self.column.union,
        )
    }

    /// Returns the reason why the request is impossible, or `None` if it is possible.
    #[must_use]
    pub fn impossible_reason(self) -> Option<&'static str> {
        let knows = |member| self.row.client.version.has_member(member);
        let knows_set = self.stored_member().is_none_or(knows);
        match (self.row.verb, self.row.intent) {
            (RequestVerb::Create, Intent::SetMember(member)) if knows(member) => None,
            (_, Intent::SetMember(member) | Intent::SwitchMember(member)) if !knows(member) => {
                Some("a client cannot set a member that it does not know")
            }
            (RequestVerb::Create, _) => Some("a create has no stored object to keep or to change"),
            (_, Intent::EditMember) if !knows_set => {
                Some("a client cannot edit inside a member that it does not know")
            }
            (_, intent) if !is_possible(intent, self.column.union) => {
                Some("a required union cannot be cleared")
            }
            (RequestVerb::ApplyOwning, _) if knows_set => {
                Some("a client that knows all fields that it owns sends an ordinary apply")
            }
            _ => None,
        }
    }

    /// Returns true if the cell shows the limit of the model: a structured client drops an
    /// *optional* member that the client does not know, and keeps the discriminator.
    ///
    /// A client that knows the member and wants to unset it sends the same request.
    #[must_use]
    pub fn is_limit(self) -> bool {
        let tape = Need::Optional;
        self.impossible_reason().is_none()
            && self.column.union.form == Form::Discriminator { tape }
            && self.column.server == Version::Newer
            && self.drops_unaware()
    }

    /// Returns true if the client sends the union without the set member because it does not know
    /// the member, and intends to leave the union as it is (KEP-1027, cases #12 and #16).
    #[must_use]
    pub fn drops_unaware(self) -> bool {
        let client = self.row.client;
        client.kind == ClientType::Structured
            && self
                .stored_member()
                .is_some_and(|member| !client.version.has_member(member))
            && matches!(
                self.row.verb,
                RequestVerb::Replace | RequestVerb::ApplyOwning
            )
            && self.row.intent.is_union_unchanged()
    }
}
