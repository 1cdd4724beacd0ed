//! A schema, and the document that its references refer to.

use serde_json::Value;

/// A schema in its document.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Located<'v> {
    /// The document that `$ref` is looked up in.
    pub document: &'v Value,
    /// The schema, a part of the document.
    pub schema: &'v Value,
    /// The place of the schema in the input, for errors.
    pub place: String,
    /// The place of the document in the input.
    pub document_place: String,
}

impl<'v> Located<'v> {
    /// Returns a schema that is its own document, at any place.
    #[must_use]
    pub fn alone(schema: &'v Value, place: &str) -> Self {
        Self {
            document: schema,
            schema,
            place: place.to_owned(),
            document_place: place.to_owned(),
        }
    }

    /// Returns a schema at a JSON pointer of its document.
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
