//! What is wrong with a schema.

use core::fmt;

/// What is wrong with a schema, and where. `Display` has both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SchemaError {
    place: String,
    problem: String,
}

impl SchemaError {
    /// A problem at a place, a JSON pointer.
    pub fn new(place: impl Into<String>, problem: impl Into<String>) -> Self {
        Self {
            place: place.into(),
            problem: problem.into(),
        }
    }

    /// Where it is: a JSON pointer into the schema, or into the document where the schema is one of several.
    #[must_use]
    pub fn place(&self) -> &str {
        &self.place
    }

    /// What was found, what is allowed, and what to do.
    #[must_use]
    pub fn problem(&self) -> &str {
        &self.problem
    }
}

impl fmt::Display for SchemaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = if self.place.is_empty() {
            "the schema"
        } else {
            &self.place
        };
        write!(f, "{place}: {}", self.problem)
    }
}

impl core::error::Error for SchemaError {}
