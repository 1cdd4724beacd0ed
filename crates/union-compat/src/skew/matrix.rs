//! The table as data: the requests of clients to servers, and their outcomes.

use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use super::request::{ClientKind, Intent, Verb, Verdict};
use crate::version::version::PART;

/// The side of a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The old version.
    Old,
    /// The new version.
    New,
}

/// A row of the table: a client, a verb and an intent. Members are named by their fields.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Row {
    /// The kind of the client.
    pub kind: ClientKind,
    /// The version that the client knows.
    pub client: Side,
    /// The verb of the request.
    pub verb: Verb,
    /// The change that the client wants.
    pub intent: Intent<String>,
}

/// The outcome of a request at a server.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Outcome {
    /// The request was sent.
    Sent {
        /// The verdict on the request.
        verdict: Verdict,
        /// True if the loss is a limit of the model: the client drops an optional member, because
        /// it does not know the member.
        is_limit: bool,
        /// The error, if the request was rejected.
        why: Option<String>,
    },
    /// The client's type cannot read the stored object, with this error. The client sends no
    /// request.
    Unreadable(String),
    /// The request does not occur, for this reason.
    Senseless(&'static str),
}

/// A request to a server of one of the versions.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Cell {
    /// The request.
    pub row: Row,
    /// The version of the server.
    pub server: Side,
    /// The object that is stored before the request, if there is one.
    pub stored: Option<Value>,
    /// The outcome of the request.
    pub outcome: Outcome,
}

/// The table of all requests between clients and servers of two versions, with their outcomes.
/// `Display` prints the table.
#[derive(Clone, Debug, PartialEq)]
pub struct Skew {
    pub(super) old: String,
    pub(super) new: String,
    pub(super) cells: Vec<Cell>,
}

impl Skew {
    /// Returns all cells, row by row: in each row, first the cell of the old server, then the cell
    /// of the new one.
    pub fn cells(&self) -> impl Iterator<Item = &Cell> {
        self.cells.iter()
    }

    /// Returns the cells with a verdict.
    pub fn cells_of(&self, verdict: Verdict) -> impl Iterator<Item = &Cell> {
        self.cells()
            .filter(move |cell| cell.outcome.verdict() == Some(verdict))
    }

    /// Returns the number of cells with a verdict.
    #[must_use]
    pub fn count(&self, verdict: Verdict) -> usize {
        self.cells_of(verdict).count()
    }
}

impl Serialize for Skew {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let cells: Vec<Value> = self.cells().map(Cell::json).collect();
        json!({"cells": cells, "new": self.new, "old": self.old}).serialize(serializer)
    }
}

impl Outcome {
    /// Returns the verdict on the request, if it was sent.
    #[must_use]
    pub const fn verdict(&self) -> Option<Verdict> {
        match self {
            Self::Sent { verdict, .. } => Some(*verdict),
            _ => None,
        }
    }
}

impl Cell {
    fn json(&self) -> Value {
        let (outcome, why) = match &self.outcome {
            Outcome::Sent { verdict, why, .. } => {
                (verdict.text().to_ascii_lowercase(), why.clone())
            }
            Outcome::Unreadable(why) => ("unreadable".to_owned(), Some(why.clone())),
            Outcome::Senseless(why) => ("senseless".to_owned(), Some((*why).to_owned())),
        };
        json!({
            "client": {"kind": self.row.kind_name(), "version": self.row.client.name()},
            "intent": self.row.intent_name(),
            "is_limit": matches!(self.outcome, Outcome::Sent { is_limit: true, .. }),
            "outcome": outcome,
            "server": self.server.name(),
            "stored": self.stored.as_ref().and_then(|stored| stored.get(PART)),
            "verb": self.row.verb_name(),
            "why": why,
        })
    }
}
