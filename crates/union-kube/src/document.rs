//! Builds an `OpenAPI` document from CRDs.

use serde_json::{Map, Value, json};

use super::crd::Crd;
use super::print::with_sorted_keys;

/// Returns an `OpenAPI` v3 document with the full schemas of some CRDs. The schemas are under
/// `components`, with the names that an API server uses: `com.example.docs.v1.Document`. The
/// document has no paths, because the server adds its own.
///
/// `title` and `version` are the title and the version of the document.
///
/// ```
/// use kube::CustomResource;
/// use schemars::JsonSchema;
/// use serde::{Deserialize, Serialize};
/// use union_kube::{Crd, openapi};
///
/// #[derive(CustomResource, Serialize, Deserialize, Clone, Debug, JsonSchema)]
/// #[kube(group = "docs.example.com", version = "v1", kind = "Document", namespaced)]
/// struct DocumentSpec { text: String }
///
/// let document = openapi("docs", "v1", [&Crd::from_type::<Document>()?]);
/// let spec =
///     &document["components"]["schemas"]["com.example.docs.v1.Document"]["properties"]["spec"];
/// assert_eq!(spec["properties"]["text"]["type"], "string");
/// # Ok::<(), union_kube::CrdError>(())
/// ```
#[must_use]
pub fn openapi<'a>(title: &str, version: &str, crds: impl IntoIterator<Item = &'a Crd>) -> Value {
    let mut schemas = Map::new();
    for crd in crds {
        let crd = crd.as_document();
        let group = crd.group().unwrap_or_default();
        let kind = crd.kind().unwrap_or_default();
        for version in crd.versions() {
            let version_name = version.name().unwrap_or_default();
            if let Some(schema) = version.schema() {
                let schema = resource_schema(schema.clone(), group, version_name, kind);
                schemas.insert(component_name(group, version_name, kind), schema);
            }
        }
    }
    with_sorted_keys(json!({
        "openapi": "3.0.0",
        "info": { "title": title, "version": version },
        "paths": {},
        "components": { "schemas": schemas },
    }))
}

/// Returns the name of a component: `com.example.docs.v1.Document`.
fn component_name(group: &str, version: &str, kind: &str) -> String {
    let mut parts: Vec<&str> = group.split('.').rev().collect();
    parts.extend([version, kind]);
    parts.join(".")
}

/// Adds the fields that all objects have, and the kind, to the schema of a CRD. A CRD leaves both
/// out.
fn resource_schema(mut schema: Value, group: &str, version: &str, kind: &str) -> Value {
    if let Some(schema) = schema.as_object_mut() {
        let properties = schema
            .entry("properties")
            .or_insert_with(|| Map::new().into());
        if let Some(properties) = properties.as_object_mut() {
            for (name, type_name) in [
                ("apiVersion", "string"),
                ("kind", "string"),
                ("metadata", "object"),
            ] {
                properties
                    .entry(name)
                    .or_insert_with(|| json!({ "type": type_name }));
            }
        }
        schema.insert(
            "x-kubernetes-group-version-kind".into(),
            json!([{ "group": group, "version": version, "kind": kind }]),
        );
    }
    schema
}
