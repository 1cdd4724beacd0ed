//! A schema, and the document to whose parts its references refer.

use serde_json::Value;

/// A schema, and the document that contains the schema.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SchemaInDocument<'v> {
    /// The document in which the values of `$ref` are looked up.
    pub document: &'v Value,
    /// The schema, which is a part of the document.
    pub schema: &'v Value,
    /// The JSON pointer to the schema in the input of the program, for error messages.
    pub pointer: String,
    /// The JSON pointer to the document in the input of the program, for error messages. It is
    /// empty if the document is the whole input.
    pub document_pointer: String,
}

impl<'v> SchemaInDocument<'v> {
    /// Returns a schema that is its own document. `place` is the JSON pointer to the schema in the
    /// input of the program.
    #[must_use]
    pub fn standalone(schema: &'v Value, place: &str) -> Self {
        Self {
            document: schema,
            schema,
            pointer: place.to_owned(),
            document_pointer: place.to_owned(),
        }
    }

    /// Returns a schema that is a part of a document. `place` is the JSON pointer to the schema in
    /// the document.
    #[must_use]
    pub const fn in_document(document: &'v Value, schema: &'v Value, place: String) -> Self {
        Self {
            document,
            schema,
            pointer: place,
            document_pointer: String::new(),
        }
    }
}
