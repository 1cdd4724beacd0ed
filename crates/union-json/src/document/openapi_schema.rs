//! Finds a schema in an `OpenAPI` document.

use serde_json::Value;

use crate::document::reference::longest_valid_prefix;
use crate::document::schema_in_document::SchemaInDocument;
use crate::error::SchemaError;
use crate::pointer::escape;

/// Returns the schema with this name in an `OpenAPI` document: under `components/schemas` (v3), or
/// under `definitions` (v2).
///
/// # Errors
///
/// Returns an error if the document does not have a schema with this name.
pub fn find_openapi_schema<'v>(
    document: &'v Value,
    name: &str,
) -> Result<SchemaInDocument<'v>, SchemaError> {
    let token = escape(name);
    let pointers =
        ["/components/schemas/", "/definitions/"].map(|prefix| format!("{prefix}{token}"));
    let schema = pointers.into_iter().find_map(|pointer| {
        let schema = document.pointer(&pointer)?;
        Some(SchemaInDocument::in_document(document, schema, pointer))
    });
    schema.ok_or_else(|| {
        SchemaError::new(
            if document.pointer("/definitions").is_some() {
                "/definitions"
            } else {
                longest_valid_prefix(document, "/components/schemas")
            },
            format!(
                "unknown schema {name:?}: neither `components/schemas` nor `definitions` contains \
                 it; use the name of a schema in the OpenAPI document"
            ),
        )
    })
}
