//! A schema, and the document in which its references are resolved.

use serde_json::Value;

/// A schema, and the document that contains it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SchemaInDocument<'v> {
    /// The document in which `$ref` is resolved.
    pub document: &'v Value,
    /// The schema, which is a part of the document or the document itself.
    pub schema: &'v Value,
    /// The JSON pointer to the schema, for error messages. The pointer begins at the input of the
    /// program.
    pub pointer: String,
    /// The JSON pointer to the document, for error messages. The pointer is empty if the document
    /// is the whole input of the program.
    pub document_pointer: String,
}

impl<'v> SchemaInDocument<'v> {
    /// Creates a schema that is its own document. `pointer` is the JSON pointer to the schema in
    /// the input of the program.
    #[must_use]
    pub fn standalone(schema: &'v Value, pointer: &str) -> Self {
        Self {
            document: schema,
            schema,
            pointer: pointer.to_owned(),
            document_pointer: pointer.to_owned(),
        }
    }

    /// Creates a schema that is a part of a document. `pointer` is the JSON pointer to the schema
    /// in the document.
    #[must_use]
    pub const fn in_document(document: &'v Value, schema: &'v Value, pointer: String) -> Self {
        Self {
            document,
            schema,
            pointer,
            document_pointer: String::new(),
        }
    }
}
