//! The results for an object or a request: by the rules of unions, and by an API server.

use serde_json::{Value, json};

/// The result of one validation.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Answer {
    /// The object or request is accepted, without errors and warnings.
    Accepted,
    /// The object or request is accepted. The strings are errors that are tolerated because they
    /// are not new, and warnings.
    Tolerated(Vec<String>),
    /// The object or request is rejected, with these errors.
    Refused(Vec<String>),
}

/// The results of both validations.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Verdict {
    /// The result by the rules of unions, as a webhook applies them.
    pub union: Answer,
    /// The result by an API server with only the schema.
    pub server: Answer,
}

/// The fate of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fate {
    /// The request does not occur, because the object cannot be stored.
    Impossible,
    /// The request is accepted, and no field is lost.
    Accepted,
    /// The request is accepted, because its errors are not new. The string is the first of them.
    Tolerated(String),
    /// The request is rejected, with this error.
    Refused(String),
    /// The request is accepted, and these fields are dropped silently.
    Lost(Vec<String>),
    /// The client cannot read the object, with this error.
    Unreadable(String),
}

impl Answer {
    pub(crate) const fn is_refused(&self) -> bool {
        matches!(self, Self::Refused(_))
    }

    /// Returns the name of the answer in JSON.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::Tolerated(_) => "tolerated",
            Self::Refused(_) => "refused",
        }
    }

    fn texts(&self) -> &[String] {
        match self {
            Self::Accepted => &[],
            Self::Tolerated(texts) | Self::Refused(texts) => texts,
        }
    }

    fn json(&self) -> Value {
        json!({"answer": self.name(), "texts": self.texts()})
    }

    fn first(&self) -> String {
        self.texts().first().cloned().unwrap_or_default()
    }
}

impl Verdict {
    /// Returns true if either validation rejects the object or request.
    #[must_use]
    pub const fn is_refused(&self) -> bool {
        self.union.is_refused() || self.server.is_refused()
    }

    /// Returns the fate of a request that loses the fields `lost`.
    pub(crate) fn fate(&self, lost: &[String]) -> Fate {
        // The message of the server has precedence: every client receives it.
        for answer in [&self.server, &self.union] {
            if answer.is_refused() {
                return Fate::Refused(answer.first());
            }
        }
        if !lost.is_empty() {
            return Fate::Lost(lost.to_vec());
        }
        for answer in [&self.server, &self.union] {
            if let Answer::Tolerated(_) = answer {
                return Fate::Tolerated(answer.first());
            }
        }
        Fate::Accepted
    }

    pub(crate) fn json(&self) -> Value {
        json!({"server": self.server.json(), "union": self.union.json()})
    }

    /// Returns the verdict as one line.
    pub(crate) fn line(&self) -> String {
        match (&self.union, &self.server) {
            (Answer::Accepted, Answer::Accepted) => "accepted".to_owned(),
            (_, server) if server.is_refused() => {
                let by = if self.union.is_refused() {
                    "rejected"
                } else {
                    "rejected only by the API server's rules"
                };
                format!("{by}: {}", server.first())
            }
            (union, _) if union.is_refused() => {
                format!("rejected only by the rules of unions: {}", union.first())
            }
            (Answer::Accepted, tolerated) | (tolerated, _) => {
                format!("tolerated: {}", tolerated.first())
            }
        }
    }
}

impl Fate {
    /// Returns the name of the fate in JSON.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Impossible => "impossible",
            Self::Accepted => "accepted",
            Self::Tolerated(_) => "tolerated",
            Self::Refused(_) => "refused",
            Self::Lost(_) => "lost",
            Self::Unreadable(_) => "unreadable",
        }
    }

    /// Returns true if the request fails or loses fields.
    #[must_use]
    pub const fn is_bad(&self) -> bool {
        matches!(self, Self::Refused(_) | Self::Lost(_) | Self::Unreadable(_))
    }

    pub(crate) fn json(&self) -> Value {
        match self {
            Self::Impossible | Self::Accepted => json!({"fate": self.name()}),
            Self::Tolerated(text) | Self::Refused(text) | Self::Unreadable(text) => {
                json!({"fate": self.name(), "text": text})
            }
            Self::Lost(fields) => json!({"fate": self.name(), "fields": fields}),
        }
    }

    /// Returns the fate as one line.
    pub(crate) fn line(&self) -> String {
        match self {
            Self::Impossible => "not possible".to_owned(),
            Self::Accepted => "accepted".to_owned(),
            Self::Tolerated(text) => {
                format!("tolerated, because the stored object has the same error: {text}")
            }
            Self::Refused(text) => format!("rejected: {text}"),
            Self::Lost(fields) => {
                let fields: Vec<String> = fields.iter().map(|field| format!("`{field}`")).collect();
                format!("accepted, and {} silently dropped", are(&fields))
            }
            Self::Unreadable(text) => format!("the client cannot deserialize the object: {text}"),
        }
    }
}

fn are(names: &[String]) -> String {
    match names {
        [one] => format!("{one} is"),
        several => format!("{} are", several.join(", ")),
    }
}
