//! A schema, and the document that its references lead into.

use serde_json::Value;

/// A schema in its document.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Located<'v> {
    /// What `$ref` is looked up in.
    pub document: &'v Value,
    /// The schema, a part of the document.
    pub schema: &'v Value,
    /// Where the schema stands in what was given, for errors.
    pub place: String,
    /// Where the document stands in what was given.
    pub document_place: String,
}

impl<'v> Located<'v> {
    /// A schema alone, which is its own document wherever it stands.
    #[must_use]
    pub fn alone(schema: &'v Value, place: &str) -> Self {
        Self {
            document: schema,
            schema,
            place: place.to_owned(),
            document_place: place.to_owned(),
        }
    }

    /// A schema at a JSON pointer of its document.
    #[must_use]
    pub const fn within(document: &'v Value, schema: &'v Value, place: String) -> Self {
        Self {
            document,
            schema,
            place,
            document_place: String::new(),
        }
    }
}
