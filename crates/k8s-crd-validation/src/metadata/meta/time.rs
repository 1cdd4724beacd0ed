//! Times in metadata. Go parses more forms than RFC 3339 allows, and writes a single canonical
//! form.

use k8s_go_text::time::{CivilTime, Layout, parse_time};

/// The zero time of Go, which counts as a missing time.
const ZERO: &str = "0001-01-01T00:00:00Z";

/// A time in seconds since 1970. Fractions of a second are dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Time(i64);

impl Time {
    /// Parses a time.
    ///
    /// # Errors
    ///
    /// Returns the error message of Go if the string is not a time.
    pub(super) fn parse(string: &str) -> Result<Self, String> {
        match parse_time(string, Layout::Zoned) {
            Ok(time) => Ok(Self(time.seconds)),
            Err(error) => Err(error.to_string()),
        }
    }

    /// Returns a time in the canonical form, in UTC and whole seconds, or `None` if the string
    /// already has this form or is not a time.
    pub(super) fn to_canonical(string: &str) -> Option<String> {
        // A fast path: a valid time of this length that ends with `Z` has the canonical form.
        if string.len() == ZERO.len() && string.ends_with('Z') {
            return None;
        }
        Some(Self::parse(string).ok()?.to_string_in_utc())
    }

    /// Returns true if a time in the canonical form is the zero time.
    pub(super) fn is_zero(canonical: &str) -> bool {
        canonical == ZERO
    }

    fn to_string_in_utc(self) -> String {
        format!("{}Z", CivilTime::from_unix_seconds(self.0))
    }
}
