//! The table: who asks whom for what, and what happens to it, as data.

use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use super::request::{ClientKind, Intent, Verb, Verdict};
use crate::version::version::PART;

/// Which of the two versions somebody has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The old one.
    Old,
    /// The new one.
    New,
}

/// Who asks, how, and for what. Members are named by their fields.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Row {
    /// What objects go through in the client.
    pub kind: ClientKind,
    /// The version that the client knows.
    pub client: Side,
    /// How it asks.
    pub verb: Verb,
    /// For what.
    pub intent: Intent<String>,
}

/// What happens to a request at a server.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Outcome {
    /// It was sent.
    Sent {
        /// What happened to it.
        verdict: Verdict,
        /// Whether it is the model's limit: an optional member that a client drops, because it does not know it.
        is_limit: bool,
        /// Why it was refused.
        why: Option<String>,
    },
    /// The client's type cannot read the stored object, so that nothing is sent.
    Unreadable(String),
    /// There is no such request, and why.
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
    /// The object that is stored before, if there is one.
    pub stored: Option<Value>,
    /// What happens to it.
    pub outcome: Outcome,
}

/// Every request between clients and servers of two versions, and what happens to it. Its `Display` is the table.
#[derive(Clone, Debug, PartialEq)]
pub struct Skew {
    pub(super) old: String,
    pub(super) new: String,
    pub(super) cells: Vec<Cell>,
}

impl Skew {
    /// Every cell, row by row: first the old server's, then the new one's.
    pub fn cells(&self) -> impl Iterator<Item = &Cell> {
        self.cells.iter()
    }

    /// The cells of one verdict.
    pub fn cells_of(&self, verdict: Verdict) -> impl Iterator<Item = &Cell> {
        self.cells()
            .filter(move |cell| cell.outcome.verdict() == Some(verdict))
    }

    /// How many cells there are of one verdict.
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
    /// What happened to the request, if there was one.
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
