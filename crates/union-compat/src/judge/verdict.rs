//! What is said to an object or a request: by the rules of unions, and by an API server.

use serde_json::{Value, json};

/// What a judge says.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Answer {
    /// Nothing is wrong.
    Accepted,
    /// What is wrong is tolerated, because it is not new.
    Tolerated(Vec<String>),
    /// What is wrong.
    Refused(Vec<String>),
}

/// What both judges say.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Verdict {
    /// The rules of unions, as a webhook with them applies them.
    pub union: Answer,
    /// An API server with the schema alone.
    pub server: Answer,
}

/// What happens to a request.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fate {
    /// There is no such request: the object cannot be there.
    Impossible,
    /// It is accepted, and nothing is lost.
    Accepted,
    /// It is accepted, because what is wrong is not new.
    Tolerated(String),
    /// It is refused.
    Refused(String),
    /// It is accepted, and these fields are dropped silently.
    Lost(Vec<String>),
    /// The client cannot read the object.
    Unreadable(String),
}

impl Answer {
    pub(crate) const fn is_refused(&self) -> bool {
        matches!(self, Self::Refused(_))
    }

    /// What it is called in JSON.
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
    /// Whether either refuses.
    #[must_use]
    pub const fn is_refused(&self) -> bool {
        self.union.is_refused() || self.server.is_refused()
    }

    /// What happens to the request, of which so much is lost.
    pub(crate) fn fate(&self, lost: &[String]) -> Fate {
        // What a server says, everybody gets to hear.
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

    /// On a line.
    pub(crate) fn line(&self) -> String {
        match (&self.union, &self.server) {
            (Answer::Accepted, Answer::Accepted) => "accepted".to_owned(),
            (_, server) if server.is_refused() => {
                let by = if self.union.is_refused() {
                    "refused"
                } else {
                    "refused by the server's rules alone"
                };
                format!("{by}: {}", server.first())
            }
            (union, _) if union.is_refused() => {
                format!("refused by the rules of unions alone: {}", union.first())
            }
            (Answer::Accepted, tolerated) | (tolerated, _) => {
                format!("tolerated: {}", tolerated.first())
            }
        }
    }
}

impl Fate {
    /// What it is called in JSON.
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

    /// Whether somebody is worse off than before.
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

    /// On a line.
    pub(crate) fn line(&self) -> String {
        match self {
            Self::Impossible => "there is none".to_owned(),
            Self::Accepted => "accepted".to_owned(),
            Self::Tolerated(text) => format!("tolerated, as it is not new: {text}"),
            Self::Refused(text) => format!("refused: {text}"),
            Self::Lost(fields) => {
                let fields: Vec<String> = fields.iter().map(|field| format!("`{field}`")).collect();
                format!("accepted, and {} silently dropped", are(&fields))
            }
            Self::Unreadable(text) => format!("the client cannot read it: {text}"),
        }
    }
}

fn are(names: &[String]) -> String {
    match names {
        [one] => format!("{one} is"),
        several => format!("{} are", several.join(", ")),
    }
}
