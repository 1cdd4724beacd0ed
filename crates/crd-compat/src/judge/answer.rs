//! The answer of a server to a request.

use k8s_crd_validation::{ErrorOrigin, Report, Violation};
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

/// The answer of a server to a request.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Answer {
    /// The server stores the object.
    Accepted,
    /// The server stores the object, although the object has these errors.
    Tolerated(Vec<String>),
    /// The server refuses the object with these errors.
    Rejected(Vec<String>),
}

impl Answer {
    pub(crate) fn new(report: &Report) -> Self {
        let messages =
            |violations: &[Violation]| violations.iter().map(ToString::to_string).collect();
        if !report.is_accepted() {
            Self::Rejected(messages(report.errors()))
        } else if report.tolerated().is_empty() {
            Self::Accepted
        } else {
            Self::Tolerated(messages(report.tolerated()))
        }
    }

    /// Returns the answer with the messages in another order.
    pub(crate) fn with_messages(&self, messages: Vec<String>) -> Self {
        match self {
            Self::Accepted => Self::Accepted,
            Self::Tolerated(_) => Self::Tolerated(messages),
            Self::Rejected(_) => Self::Rejected(messages),
        }
    }

    /// Returns true if the server refuses the request.
    #[must_use]
    pub const fn is_rejected(&self) -> bool {
        matches!(self, Self::Rejected(_))
    }

    /// Returns the answer as one line, with the first message of the server.
    #[must_use]
    pub fn summary(&self) -> String {
        let (word, messages) = match self {
            Self::Accepted => return "accepted".to_owned(),
            Self::Tolerated(messages) => ("tolerated", messages),
            Self::Rejected(messages) => ("rejected", messages),
        };
        let first = messages.first().map_or("", String::as_str);
        match messages.len() {
            0 | 1 => format!("{word}: {first}"),
            count => format!("{word}: {first} (and {} more)", count - 1),
        }
    }
}

impl Serialize for Answer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (word, messages): (_, &[String]) = match self {
            Self::Accepted => ("accepted", &[]),
            Self::Tolerated(messages) => ("tolerated", messages),
            Self::Rejected(messages) => ("rejected", messages),
        };
        json!({"answer": word, "messages": messages}).serialize(serializer)
    }
}

/// An error, with the keywords of the schema that report it.
#[derive(Clone, Debug)]
pub(crate) struct JudgedError {
    pub(crate) violation: Violation,
    pub(crate) origins: Vec<ErrorOrigin>,
}

/// The answer to a write of an object and, if the object has a status and `status` is a
/// subresource, to the write of its status.
#[derive(Clone, Debug)]
pub(crate) struct WriteAnswer {
    pub(crate) answer: Answer,
    /// The errors of the messages of the answer, in the same order.
    pub(crate) errors: Vec<JudgedError>,
    /// The stored object, if the server accepts the requests.
    pub(crate) stored: Option<Value>,
}
