//! A schema, and the document to whose parts its references refer.

use serde_json::Value;

/// A schema, and the document that contains the schema.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Located<'v> {
    /// The document in which the values of `$ref` are looked up.
    pub document: &'v Value,
    /// The schema, which is a part of the document.
    pub schema: &'v Value,
    /// The JSON pointer to the schema in the input of the program, for error messages.
    pub place: String,
    /// The JSON pointer to the document in the input of the program, for error messages. It is
    /// empty if the document is the whole input.
    pub document_place: String,
}

impl<'v> Located<'v> {
    /// Returns a schema that is its own document. `place` is the JSON pointer to the schema in the
    /// input of the program.
    #[must_use]
    pub fn alone(schema: &'v Value, place: &str) -> Self {
        Self {
            document: schema,
            schema,
            place: place.to_owned(),
            document_place: place.to_owned(),
        }
    }

    /// Returns a schema that is a part of a document. `place` is the JSON pointer to the schema in
    /// the document.
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
