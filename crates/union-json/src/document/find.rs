//! Finds the schema that is meant in a document.

use serde_json::Value;

use crate::document::located::Located;
use crate::document::reference::nearest;
use crate::error::SchemaError;
use crate::pointer::escape;

/// A version of a CRD.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct CrdVersion<'v> {
    /// The index of the version in `spec.versions`.
    pub index: usize,
    /// The version, an element of `spec.versions`.
    pub version: &'v Value,
}

/// The schema of a version of a CRD.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct CrdSchema<'v> {
    /// The name of the version.
    pub version: &'v str,
    /// The schema of the version.
    pub schema: Located<'v>,
}

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

/// Returns the schema of a version of a CRD, by default of the stored version.
///
/// # Errors
///
/// Returns an error if the CRD does not have the version, or the version does not have a schema.
pub fn in_crd<'v>(crd: &'v Value, version: Option<&str>) -> Result<CrdSchema<'v>, SchemaError> {
    let CrdVersion { index, version } = find_version(crd, version)?;
    let name = version
        .get("name")
        .and_then(Value::as_str)
        .unwrap_or_default();
    let place = format!("/spec/versions/{index}/schema/openAPIV3Schema");
    match version.pointer("/schema/openAPIV3Schema") {
        Some(schema) => Ok(CrdSchema {
            version: name,
            schema: Located::alone(schema, &place),
        }),
        None => Err(SchemaError::new(
            nearest(crd, &place),
            format!(
                "version {name:?} has no `schema/openAPIV3Schema`; a CRD of apiextensions.k8s.io/v1 has one"
            ),
        )),
    }
}

/// Returns the version of a CRD with a name, or the stored version.
///
/// # Errors
///
/// Returns an error if the CRD does not have the version.
pub fn find_version<'v>(
    crd: &'v Value,
    version: Option<&str>,
) -> Result<CrdVersion<'v>, SchemaError> {
    let versions = crd.pointer("/spec/versions").and_then(Value::as_array);
    let Some(versions) = versions.filter(|versions| !versions.is_empty()) else {
        return Err(SchemaError::new(
            nearest(crd, "/spec/versions"),
            "there is no list of versions under `spec/versions`; give a CustomResourceDefinition of \
             apiextensions.k8s.io/v1",
        ));
    };
    let mut numbered = versions.iter().enumerate();
    let is_it = |candidate: &Value| match version {
        Some(name) => candidate.get("name").is_some_and(|found| found == name),
        None => candidate.get("storage") == Some(&Value::Bool(true)) || versions.len() == 1,
    };
    numbered
        .find(|(_, candidate)| is_it(candidate))
        .map(|(index, version)| CrdVersion { index, version })
        .ok_or_else(|| {
            let names = versions
                .iter()
                .filter_map(|version| version.get("name")?.as_str());
            let names: Vec<String> = names.map(|name| format!("{name:?}")).collect();
            let names = names.join(", ");
            let problem = match version {
                Some(version) => format!("there is no version {version:?}; use one of: {names}"),
                None => format!("no version is the one that is stored; name one of: {names}"),
            };
            SchemaError::new("/spec/versions", problem)
        })
}
