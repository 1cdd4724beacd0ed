//! Problems that prevent the webhook from working.

use std::fmt;

/// A problem: its place, what was found there, and the remedy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebhookError {
    location: String,
    message: String,
}

impl WebhookError {
    /// Creates a problem; `place` is a file, a flag, or a CRD.
    pub fn new(place: impl Into<String>, text: impl Into<String>) -> Self {
        Self {
            location: place.into(),
            message: text.into(),
        }
    }
}

impl fmt::Display for WebhookError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.location, self.message)
    }
}

impl std::error::Error for WebhookError {}
