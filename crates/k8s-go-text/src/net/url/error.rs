//! The reason why a string is not a URL.

use core::fmt;

use k8s_json_internals::quote::Quoted;

use super::escape::Bad;

/// The reason why a string is not a URL, as Go words it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Why<'t> {
    Said(&'static str),
    Bad(Bad<'t>),
    Port(&'t str),
    /// The problem of an address in brackets.
    Host(String),
}

impl<'t> From<Bad<'t>> for Why<'t> {
    fn from(bad: Bad<'t>) -> Self {
        Self::Bad(bad)
    }
}

impl fmt::Display for Why<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Said(text) => f.write_str(text),
            Self::Bad(bad) => bad.fmt(f),
            Self::Port(port) => write!(f, "invalid port {} after host", Quoted(port)),
            Self::Host(why) => write!(f, "invalid host: {why}"),
        }
    }
}
