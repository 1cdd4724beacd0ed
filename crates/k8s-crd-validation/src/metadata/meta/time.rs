//! Times of metadata: as Go reads them, which is more than RFC 3339 allows, and as it writes them.

use k8s_go_text::time::{Civil, Layout, read};

/// When there is none.
const ZERO: &str = "0001-01-01T00:00:00Z";

/// Seconds since 1970 began. Parts of a second are not kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Time(i64);

impl Time {
    /// Reads a time.
    ///
    /// # Errors
    ///
    /// As Go words it.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        match read(text, Layout::Zoned) {
            Ok(moment) => Ok(Self(moment.seconds)),
            Err(unread) => Err(unread.to_string()),
        }
    }

    /// The time as it is always written, in UTC and whole seconds; `None` where the text is that already.
    pub(super) fn plain(text: &str) -> Option<String> {
        // Of this length and with this end, it has nothing but digits to be read from.
        if text.len() == ZERO.len() && text.ends_with('Z') {
            return None;
        }
        Some(Self::parse(text).ok()?.to_text())
    }

    pub(super) fn is_zero(plain: &str) -> bool {
        plain == ZERO
    }

    fn to_text(self) -> String {
        format!("{}Z", Civil::at(self.0))
    }
}
