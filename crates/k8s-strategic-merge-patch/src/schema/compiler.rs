//! Readers of patch schemas from schemas, `OpenAPI` documents and CRDs.

use k8s_json_internals::deep::is_deeper;
use serde_json::Value;

use super::compile::compile_tables;
use super::object_meta::complete_root;
use super::schema::{PatchSchema, UnknownFieldPolicy};
use union_json::document::{Crd, SchemaInDocument, find_openapi_schema};
use union_json::{Limits, SchemaError};

/// The maximum number of levels of a copied schema, because a copy is recursive. The schema of a
/// CRD with more levels is not valid, and does not get the schema of the metadata.
const MAX_COPIED_LEVELS: usize = 512;

/// A reader of schemas, with a policy and limits.
///
/// ```
/// use serde_json::json;
/// use k8s_strategic_merge_patch::PatchSchema;
///
/// let document = json!({"definitions": {
///     "Spec": {"properties": {"strategy": {
///         "$ref": "#/definitions/Strategy",
///         "x-kubernetes-patch-strategy": "retainKeys",
///     }}},
///     "Strategy": {"properties": {"type": {"type": "string"}}},
/// }});
/// let schema = PatchSchema::compiler().openapi(&document, "Spec")?;
///
/// let live = json!({"strategy": {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 1}}});
/// let patch = json!({"strategy": {"$retainKeys": ["type"], "type": "Recreate"}});
/// assert_eq!(schema.apply(live, &patch).unwrap(), json!({"strategy": {"type": "Recreate"}}));
/// # Ok::<(), k8s_strategic_merge_patch::SchemaError>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Compiler {
    limits: Limits,
    policy: UnknownFieldPolicy,
}

impl Compiler {
    /// Sets the limits: of the schemas, and of the depth of documents, which is 128 at most.
    #[must_use]
    pub const fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Sets the policy.
    #[must_use]
    pub const fn with_policy(mut self, policy: UnknownFieldPolicy) -> Self {
        self.policy = policy;
        self
    }

    /// Reads a schema on its own; references are resolved within the schema.
    ///
    /// # Errors
    ///
    /// Returns an error if the schema is invalid: its first problem.
    pub fn schema(&self, schema: &Value) -> Result<PatchSchema, SchemaError> {
        self.compile_schema_in_document(&SchemaInDocument::standalone(schema, ""))
    }

    /// Reads the schema at a JSON pointer into a document; references are resolved within the
    /// document.
    ///
    /// # Errors
    ///
    /// Returns an error if the document does not have a value there, or if the schema is invalid.
    pub fn pointer(&self, document: &Value, pointer: &str) -> Result<PatchSchema, SchemaError> {
        let Some(schema) = document.pointer(pointer) else {
            return Err(SchemaError::new(
                "",
                format!(
                    "the document has no value at {pointer:?}; use a JSON pointer to a schema, such as \"/definitions/Deployment\""
                ),
            ));
        };
        let pointer = pointer.to_owned();
        self.compile_schema_in_document(&SchemaInDocument::in_document(document, schema, pointer))
    }

    /// Reads a schema of an `OpenAPI` v3 document, or of `definitions` in a v2 document, by its
    /// name, such as `io.k8s.api.apps.v1.Deployment`.
    ///
    /// # Errors
    ///
    /// Returns an error if the document does not have the schema, or if the schema is invalid.
    pub fn openapi(&self, document: &Value, name: &str) -> Result<PatchSchema, SchemaError> {
        self.compile_schema_in_document(&find_openapi_schema(document, name)?)
    }

    /// Reads the schema of a version of a CRD, by default the stored version.
    ///
    /// API servers reject strategic merge patches of custom resources; this is for clients and
    /// tools that merge by themselves. `apiVersion`, `kind` and `metadata` have the schemas that
    /// all objects have, because a CRD cannot describe them.
    ///
    /// # Errors
    ///
    /// Returns an error if the CRD does not have the version, if the version does not have a
    /// schema, or if the schema is invalid.
    pub fn crd(&self, crd: &Value, version: Option<&str>) -> Result<PatchSchema, SchemaError> {
        let version = Crd::new(crd).find_version(version)?;
        let located = version.located_schema()?;
        if is_deeper(located.schema, MAX_COPIED_LEVELS) {
            return self.compile_schema_in_document(&located);
        }
        let mut schema = located.schema.clone();
        complete_root(&mut schema);
        // A schema of a CRD refers only to itself.
        self.compile_schema_in_document(&SchemaInDocument::standalone(&schema, &located.pointer))
    }

    fn compile_schema_in_document(
        &self,
        start: &SchemaInDocument<'_>,
    ) -> Result<PatchSchema, SchemaError> {
        compile_tables(start, self.limits, self.policy)
    }
}

impl PatchSchema {
    /// Reads a schema; references are resolved within the schema. The [front page](crate) has an
    /// example.
    ///
    /// # Errors
    ///
    /// Returns an error if the schema is invalid: its first problem. Strategies and merge keys are
    /// not checked here: as in Kubernetes, an invalid strategy or merge key is an error of the
    /// patches that use it.
    pub fn compile(schema: &Value) -> Result<Self, SchemaError> {
        Self::compiler().schema(schema)
    }

    /// Returns a [`Compiler`], which reads schemas from documents, with a policy and limits.
    #[must_use]
    pub fn compiler() -> Compiler {
        Compiler::default()
    }
}
