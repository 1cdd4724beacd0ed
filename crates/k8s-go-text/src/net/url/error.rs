//! The reason why a string is not a URL.

use core::fmt;

use k8s_json_internals::quote::GoQuoted;

use super::escape::EscapeError;

/// The reason why a string is not a URL. `Display` prints Go's message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum UrlError<'t> {
    Message(&'static str),
    Escape(EscapeError<'t>),
    InvalidPort(&'t str),
    /// The error of an address in brackets.
    InvalidHost(String),
}

impl<'t> From<EscapeError<'t>> for UrlError<'t> {
    fn from(error: EscapeError<'t>) -> Self {
        Self::Escape(error)
    }
}

impl fmt::Display for UrlError<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Message(message) => f.write_str(message),
            Self::Escape(error) => error.fmt(f),
            Self::InvalidPort(port) => write!(f, "invalid port {} after host", GoQuoted(port)),
            Self::InvalidHost(message) => write!(f, "invalid host: {message}"),
        }
    }
}
