//! The reason why a string is not a URL.

use core::fmt;

use k8s_json_internals::quote::GoQuoted;

use super::escape::EscapeError;

/// The reason why a string is not a URL, as Go words it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum UrlError<'t> {
    Message(&'static str),
    Escape(EscapeError<'t>),
    InvalidPort(&'t str),
    /// The problem of an address in brackets.
    InvalidHost(String),
}

impl<'t> From<EscapeError<'t>> for UrlError<'t> {
    fn from(bad: EscapeError<'t>) -> Self {
        Self::Escape(bad)
    }
}

impl fmt::Display for UrlError<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Message(text) => f.write_str(text),
            Self::Escape(bad) => bad.fmt(f),
            Self::InvalidPort(port) => write!(f, "invalid port {} after host", GoQuoted(port)),
            Self::InvalidHost(why) => write!(f, "invalid host: {why}"),
        }
    }
}
