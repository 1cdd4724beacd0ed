//! The error types of schemas.

use core::error::Error;
use core::fmt;
use std::sync::Arc;

/// An error in a schema: a JSON pointer and a message. `Display` prints both.
///
/// Two errors are equal if they have the same pointer and the same message.
#[derive(Clone, Debug)]
pub struct SchemaError {
    pointer: String,
    message: String,
    source: Option<Arc<dyn Error + Send + Sync>>,
}

impl SchemaError {
    /// Creates an error at a JSON pointer.
    pub fn new(pointer: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            pointer: pointer.into(),
            message: message.into(),
            source: None,
        }
    }

    /// Sets another error as the cause, which [`source`](Error::source) returns.
    #[must_use]
    pub fn with_source(mut self, source: impl Error + Send + Sync + 'static) -> Self {
        self.source = Some(Arc::new(source));
        self
    }

    /// Creates an error from an error in the value of a keyword. `pointer` is the JSON pointer to
    /// the value.
    pub fn from_keyword_error(pointer: impl Into<String>, error: KeywordError) -> Self {
        Self::new(pointer, error.to_string()).with_source(error)
    }

    /// Returns the JSON pointer to the error. The pointer begins at the document that contains the
    /// schema, or at the schema itself if it is not part of a document.
    #[must_use]
    pub fn pointer(&self) -> &str {
        &self.pointer
    }

    /// Returns the message: the value that was found, the values that are allowed, and the remedy.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl PartialEq for SchemaError {
    fn eq(&self, other: &Self) -> bool {
        self.pointer == other.pointer && self.message == other.message
    }
}

impl Eq for SchemaError {}

impl fmt::Display for SchemaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let location = if self.pointer.is_empty() {
            "the schema"
        } else {
            &self.pointer
        };
        write!(f, "{location}: {}", self.message)
    }
}

impl Error for SchemaError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        let source = self.source.as_deref()?;
        Some(source)
    }
}

/// An error in the value of a keyword of a schema, without its JSON pointer.
/// [`SchemaError::from_keyword_error`] adds the pointer.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum KeywordError {
    /// The value has the wrong type.
    #[non_exhaustive]
    WrongType {
        /// The keyword.
        keyword: String,
        /// The value that was found. For a list or an object, only its type.
        found: String,
        /// The values that are allowed.
        expected: &'static str,
    },
    /// A `$ref` refers to no part of the document.
    #[non_exhaustive]
    UnresolvedReference {
        /// The value of the `$ref`.
        reference: String,
    },
}

impl fmt::Display for KeywordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::WrongType {
                keyword,
                found,
                expected,
            } => write!(f, "`{keyword}` is {found}; expected {expected}"),
            Self::UnresolvedReference { reference } => write!(
                f,
                "cannot resolve `$ref` {reference:?}; pass the complete document"
            ),
        }
    }
}

impl Error for KeywordError {}
