//! The errors of the server's responses, in a form that can be compared.

use std::collections::BTreeSet;

use crate::cluster::{Cause, ServerResponse};

/// The errors of a response.
pub(crate) type Errors = BTreeSet<Error>;

/// An error without the value that it prints, which contains the fields that are compared.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Error {
    pub(crate) reason: String,
    pub(crate) field: String,
    pub(crate) detail: String,
}

impl Error {
    /// Returns the supported values, which an error about an unsupported value names in quotes.
    pub(crate) fn supported_values(&self) -> impl Iterator<Item = &str> {
        let is_named = self.reason == "FieldValueNotSupported";
        let quoted = self.detail.split('"').skip(1).step_by(2);
        quoted.filter(move |_| is_named)
    }
}

pub(crate) fn of_response(response: &ServerResponse) -> Errors {
    response.causes().into_iter().map(error).collect()
}

fn error([reason, field, message]: Cause) -> Error {
    // A value is printed before the last colon.
    let detail = message
        .rsplit_once(": ")
        .map_or(&*message, |(_, rest)| rest);
    Error {
        reason,
        field,
        detail: detail.to_owned(),
    }
}
