//! Finds the schema that is meant in a document.

use serde_json::Value;

use crate::document::crd::Crd;
use crate::document::located::Located;
use crate::document::reference::nearest;
use crate::error::SchemaError;
use crate::pointer::escape;

/// The schema of that name in an `OpenAPI` document: under `components/schemas`, or `definitions`.
///
/// # Errors
///
/// That there is no such schema.
pub fn in_openapi<'v>(document: &'v Value, name: &str) -> Result<Located<'v>, SchemaError> {
    let token = escape(name);
    let pointers = ["/components/schemas/", "/definitions/"].map(|at| format!("{at}{token}"));
    let found = pointers.into_iter().find_map(|pointer| {
        let schema = document.pointer(&pointer)?;
        Some(Located::within(document, schema, pointer))
    });
    found.ok_or_else(|| {
        SchemaError::new(
            if document.pointer("/definitions").is_some() {
                "/definitions"
            } else {
                nearest(document, "/components/schemas")
            },
            format!(
                "there is no schema {name:?} under `components/schemas` or `definitions`; \
                 give an OpenAPI document, and the name of a schema that it has"
            ),
        )
    })
}

/// The name of a version of a CRD, by default of the one that is stored, and its schema.
///
/// # Errors
///
/// That there is no such version, or none with a schema.
pub fn in_crd<'v>(
    crd: &'v Value,
    version: Option<&str>,
) -> Result<(&'v str, Located<'v>), SchemaError> {
    let version = Crd::new(crd).find_version(version)?;
    Ok((
        version.name().unwrap_or_default(),
        version.located_schema()?,
    ))
}

/// The version of that name, or the one that is stored, and its number.
///
/// # Errors
///
/// That there is no such version.
pub fn find_version<'v>(
    crd: &'v Value,
    version: Option<&str>,
) -> Result<(usize, &'v Value), SchemaError> {
    let version = Crd::new(crd).find_version(version)?;
    Ok((version.index(), version.json()))
}
