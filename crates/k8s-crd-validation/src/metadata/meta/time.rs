//! Times in metadata. Go reads more forms than RFC 3339 allows, and writes one form.

use k8s_go_text::time::{CivilTime, Layout, parse_time};

/// The zero time, which counts as missing.
const ZERO: &str = "0001-01-01T00:00:00Z";

/// A time in seconds since 1970. Fractions of a second are dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Time(i64);

impl Time {
    /// Reads a time.
    ///
    /// # Errors
    ///
    /// Returns an error if the string is not a time, with the message of Go.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        match parse_time(text, Layout::Zoned) {
            Ok(moment) => Ok(Self(moment.seconds)),
            Err(unread) => Err(unread.to_string()),
        }
    }

    /// Returns the time in the form in which it is always written, in UTC and whole seconds. `None`
    /// if the string already has this form.
    pub(super) fn to_canonical(text: &str) -> Option<String> {
        // A valid time of this length that ends with `Z` can only have this form.
        if text.len() == ZERO.len() && text.ends_with('Z') {
            return None;
        }
        Some(Self::parse(text).ok()?.to_text())
    }

    pub(super) fn is_zero(plain: &str) -> bool {
        plain == ZERO
    }

    fn to_text(self) -> String {
        format!("{}Z", CivilTime::from_unix_seconds(self.0))
    }
}
