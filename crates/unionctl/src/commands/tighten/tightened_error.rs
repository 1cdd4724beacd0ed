//! An error of the new schema in a stored object.

use crd_compat::Keyword;
use serde::Serialize;

use crate::judge::reply::unions_reply::FieldError;

/// The outcome of a request: for the whole request, or for one of its errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum RequestOutcome {
    #[serde(rename = "refused")]
    Rejected,
    /// The server tolerates the error, or returns it as a warning.
    Tolerated,
    /// The request does not cause the error.
    Accepted,
    /// The server does not check for the error, because other errors stop the evaluation of rules.
    Unchecked,
}

/// An error, with its outcome in each request.
#[derive(Clone, Debug, Serialize)]
pub(super) struct TightenedError {
    #[serde(flatten)]
    pub(super) error: FieldError,
    /// The code with which `unionctl compat` reports a new error of this kind.
    pub(super) code: &'static str,
    pub(super) create: RequestOutcome,
    pub(super) unrelated_update: RequestOutcome,
    pub(super) update_of_field: RequestOutcome,
    /// The outcome of a create with the old schema; `None` if no old schema describes the object.
    pub(super) old_schema: Option<RequestOutcome>,
}

/// Returns the keyword of the schema that an error violates. An error without a keyword counts as
/// an error of a rule.
pub(super) fn keyword(error: &FieldError) -> Keyword {
    let keyword = error.keyword.and_then(Keyword::from_name);
    keyword.unwrap_or(Keyword::Rule)
}

impl TightenedError {
    /// Returns the outcomes of the requests as a line for users.
    pub(super) fn outcome_line(&self) -> String {
        let requests = [
            ("create", self.create),
            ("unrelated update", self.unrelated_update),
            ("update of the field", self.update_of_field),
        ];
        let requests =
            requests.map(|(request, outcome)| format!("{request}: {}", outcome.description()));
        let mut line = requests.join(", ");
        if self.old_schema == Some(RequestOutcome::Rejected) {
            line.push_str("; the old schema rejects it too");
        }
        line
    }
}

impl RequestOutcome {
    const fn description(self) -> &'static str {
        match self {
            Self::Rejected => "rejected",
            Self::Tolerated => "tolerated",
            Self::Accepted => "accepted",
            Self::Unchecked => "not evaluated (other errors stop CEL rules)",
        }
    }
}
