//! Errors that prevent the webhook from starting or from reloading.

use std::fmt;

/// An error with its location. The message states the problem and the remedy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebhookError {
    location: String,
    message: String,
}

impl WebhookError {
    /// Creates an error. `location` is a file, a flag or a CRD.
    pub fn new(location: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            location: location.into(),
            message: message.into(),
        }
    }
}

impl fmt::Display for WebhookError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.location, self.message)
    }
}

impl std::error::Error for WebhookError {}
