//! The table of requests and their outcomes, as data.

use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use super::request::{ClientType, Intent, IntentOutcome, RequestVerb};
use crate::version::version::EMBEDDED_FIELD;

/// The old or the new version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VersionSide {
    /// The old version.
    Old,
    /// The new version.
    New,
}

/// A row of the table: a client, a verb and an intent. A member is given by its field name.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SkewRow {
    /// The type of the client.
    pub client_type: ClientType,
    /// The version that the client knows.
    pub client: VersionSide,
    /// The verb of the request.
    pub verb: RequestVerb,
    /// The change that the client wants.
    pub intent: Intent<String>,
}

/// The outcome of a request at a server.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum SkewOutcome {
    /// The client sent the request.
    Sent {
        /// The result of the request for the client's intent.
        intent_outcome: IntentOutcome,
        /// True if the loss is a limit of the model: the client drops an optional member that it
        /// does not know.
        is_limit: bool,
        /// The error, if the request was rejected.
        error: Option<String>,
    },
    /// The client's type cannot deserialize the stored object, with this error. The client sends no
    /// request.
    Unreadable(String),
    /// The request does not exist, for this reason.
    NotApplicable(&'static str),
}

/// A request to a server of one of the versions, and its outcome.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SkewCell {
    /// The client, the verb and the intent of the request.
    pub row: SkewRow,
    /// The version of the server.
    pub server: VersionSide,
    /// The object that is stored before the request, if there is one.
    pub stored: Option<Value>,
    /// The outcome of the request.
    pub outcome: SkewOutcome,
}

/// The table of all requests between clients and servers of two versions, with their outcomes.
/// `Display` prints the table.
#[derive(Clone, Debug, PartialEq)]
pub struct SkewMatrix {
    pub(super) old: String,
    pub(super) new: String,
    pub(super) cells: Vec<SkewCell>,
}

impl SkewMatrix {
    /// Returns all cells by rows. In each row, the cell of the old server is first.
    pub fn cells(&self) -> impl Iterator<Item = &SkewCell> {
        self.cells.iter()
    }

    /// Returns the cells with an intent outcome.
    pub fn cells_with(&self, intent_outcome: IntentOutcome) -> impl Iterator<Item = &SkewCell> {
        self.cells()
            .filter(move |cell| cell.outcome.intent_outcome() == Some(intent_outcome))
    }

    /// Returns the number of cells with an intent outcome.
    #[must_use]
    pub fn count(&self, intent_outcome: IntentOutcome) -> usize {
        self.cells_with(intent_outcome).count()
    }
}

impl Serialize for SkewMatrix {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let cells: Vec<Value> = self.cells().map(SkewCell::json).collect();
        json!({"cells": cells, "new": self.new, "old": self.old}).serialize(serializer)
    }
}

impl SkewOutcome {
    /// Returns the result for the client's intent, if the request was sent.
    #[must_use]
    pub const fn intent_outcome(&self) -> Option<IntentOutcome> {
        match self {
            Self::Sent { intent_outcome, .. } => Some(*intent_outcome),
            _ => None,
        }
    }
}

impl SkewCell {
    fn json(&self) -> Value {
        let (outcome, reason) = match &self.outcome {
            SkewOutcome::Sent {
                intent_outcome,
                error,
                ..
            } => (intent_outcome.as_str().to_ascii_lowercase(), error.clone()),
            SkewOutcome::Unreadable(error) => ("unreadable".to_owned(), Some(error.clone())),
            SkewOutcome::NotApplicable(reason) => {
                ("senseless".to_owned(), Some((*reason).to_owned()))
            }
        };
        json!({
            "client": {"kind": self.row.kind_name(), "version": self.row.client.as_str()},
            "intent": self.row.intent_name(),
            "is_limit": matches!(self.outcome, SkewOutcome::Sent { is_limit: true, .. }),
            "outcome": outcome,
            "server": self.server.as_str(),
            "stored": self.stored.as_ref().and_then(|stored| stored.get(EMBEDDED_FIELD)),
            "verb": self.row.verb_name(),
            "why": reason,
        })
    }
}
