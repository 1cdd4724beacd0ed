//! The decisions on an object or a request: by the rules of unions, and by an API server.

use serde_json::{Value, json};

/// A decision of one validation.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Decision {
    /// The object or request is accepted without errors and warnings.
    Accepted,
    /// The object or request is accepted. The strings are errors that are tolerated because they
    /// are not new, and warnings.
    Tolerated(Vec<String>),
    /// The object or request is rejected with these errors.
    Rejected(Vec<String>),
}

/// The decisions of both validations.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Decisions {
    /// The decision by the rules of unions, which a webhook applies.
    pub union: Decision,
    /// The decision by an API server that has only the schema.
    pub server: Decision,
}

/// The outcome of a request for the client.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RequestOutcome {
    /// The request does not occur, because the object cannot be stored.
    Impossible,
    /// The request is accepted, and no field is lost.
    Accepted,
    /// The request is accepted, because its errors are not new. The string is the first error.
    Tolerated(String),
    /// The request is rejected with this error.
    Rejected(String),
    /// The request is accepted, and these fields are dropped silently.
    FieldsLost(Vec<String>),
    /// The client cannot read the object, with this error.
    Unreadable(String),
}

impl Decision {
    pub(crate) const fn is_rejected(&self) -> bool {
        matches!(self, Self::Rejected(_))
    }

    /// Returns the name of the decision in JSON.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::Tolerated(_) => "tolerated",
            Self::Rejected(_) => "refused",
        }
    }

    fn messages(&self) -> &[String] {
        match self {
            Self::Accepted => &[],
            Self::Tolerated(messages) | Self::Rejected(messages) => messages,
        }
    }

    fn json(&self) -> Value {
        json!({"answer": self.name(), "texts": self.messages()})
    }

    /// Returns the decision as one line.
    pub(crate) fn summary(&self) -> String {
        match self {
            Self::Accepted => "accepted".to_owned(),
            Self::Tolerated(_) => format!("tolerated: {}", self.first_message()),
            Self::Rejected(_) => format!("rejected: {}", self.first_message()),
        }
    }

    fn first_message(&self) -> String {
        self.messages().first().cloned().unwrap_or_default()
    }
}

impl Decisions {
    /// Returns true if either validation rejects the object or request.
    #[must_use]
    pub const fn is_rejected(&self) -> bool {
        self.union.is_rejected() || self.server.is_rejected()
    }

    /// Returns the outcome of a request that loses the fields `lost_fields`.
    pub(crate) fn outcome(&self, lost_fields: &[String]) -> RequestOutcome {
        // Messages of the server take precedence, because every client receives them.
        for decision in [&self.server, &self.union] {
            if decision.is_rejected() {
                return RequestOutcome::Rejected(decision.first_message());
            }
        }
        if !lost_fields.is_empty() {
            return RequestOutcome::FieldsLost(lost_fields.to_vec());
        }
        for decision in [&self.server, &self.union] {
            if let Decision::Tolerated(_) = decision {
                return RequestOutcome::Tolerated(decision.first_message());
            }
        }
        RequestOutcome::Accepted
    }

    pub(crate) fn json(&self) -> Value {
        json!({"server": self.server.json(), "union": self.union.json()})
    }

    /// Returns the decisions as one line.
    pub(crate) fn summary(&self) -> String {
        match (&self.union, &self.server) {
            (Decision::Accepted, Decision::Accepted) => "accepted".to_owned(),
            (_, server) if server.is_rejected() => {
                let rejection = if self.union.is_rejected() {
                    "rejected"
                } else {
                    "rejected only by the API server's rules"
                };
                format!("{rejection}: {}", server.first_message())
            }
            (union, _) if union.is_rejected() => {
                format!(
                    "rejected only by the rules of unions: {}",
                    union.first_message()
                )
            }
            (Decision::Accepted, decision) | (decision, _) => {
                format!("tolerated: {}", decision.first_message())
            }
        }
    }
}

impl RequestOutcome {
    /// Returns the name of the outcome in JSON.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Impossible => "impossible",
            Self::Accepted => "accepted",
            Self::Tolerated(_) => "tolerated",
            Self::Rejected(_) => "refused",
            Self::FieldsLost(_) => "lost",
            Self::Unreadable(_) => "unreadable",
        }
    }

    /// Returns true if the request fails or loses fields.
    #[must_use]
    pub const fn is_failure(&self) -> bool {
        matches!(
            self,
            Self::Rejected(_) | Self::FieldsLost(_) | Self::Unreadable(_)
        )
    }

    pub(crate) fn json(&self) -> Value {
        match self {
            Self::Impossible | Self::Accepted => json!({"fate": self.name()}),
            Self::Tolerated(message) | Self::Rejected(message) | Self::Unreadable(message) => {
                json!({"fate": self.name(), "text": message})
            }
            Self::FieldsLost(fields) => json!({"fate": self.name(), "fields": fields}),
        }
    }

    /// Returns the outcome as one line.
    pub(crate) fn summary(&self) -> String {
        match self {
            Self::Impossible => "not possible".to_owned(),
            Self::Accepted => "accepted".to_owned(),
            Self::Tolerated(message) => {
                format!("tolerated, because the stored object has the same error: {message}")
            }
            Self::Rejected(message) => format!("rejected: {message}"),
            Self::FieldsLost(fields) => {
                let fields: Vec<String> = fields.iter().map(|field| format!("`{field}`")).collect();
                format!(
                    "accepted, and {} silently dropped",
                    names_with_verb(&fields)
                )
            }
            Self::Unreadable(message) => {
                format!("the client cannot deserialize the object: {message}")
            }
        }
    }
}

fn names_with_verb(names: &[String]) -> String {
    match names {
        [name] => format!("{name} is"),
        names => format!("{} are", names.join(", ")),
    }
}
