//! Reads what whatever holds a schema says of patches.

use serde_json::Value;

use super::compile::read;
use super::schema::{PatchSchema, Policy};
use union_json::document::{Located, in_crd, in_openapi};
use union_json::{Limits, SchemaError};

/// Reads schemas by a policy and by limits of yours.
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
    policy: Policy,
}

impl Compiler {
    /// The same with other limits: of the schemas, and of the depth of documents, which is 128 at
    /// most.
    #[must_use]
    pub const fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// The same with another policy.
    #[must_use]
    pub const fn policy(mut self, policy: Policy) -> Self {
        self.policy = policy;
        self
    }

    /// Reads a schema alone; references in it lead into itself.
    ///
    /// # Errors
    ///
    /// The first thing that is wrong with the schema.
    pub fn schema(&self, schema: &Value) -> Result<PatchSchema, SchemaError> {
        self.read(&Located::alone(schema, ""))
    }

    /// Reads the schema at a JSON pointer of a document that references lead into.
    ///
    /// # Errors
    ///
    /// That nothing stands there; the first thing that is wrong with the schema.
    pub fn pointer(&self, document: &Value, pointer: &str) -> Result<PatchSchema, SchemaError> {
        let Some(schema) = document.pointer(pointer) else {
            return Err(SchemaError::new(
                "",
                format!(
                    "there is nothing at {pointer:?}; write a JSON pointer to a schema, as \"/definitions/Deployment\""
                ),
            ));
        };
        let place = pointer.to_owned();
        self.read(&Located::within(document, schema, place))
    }

    /// Reads a schema of an `OpenAPI` v3 document, or of `definitions` in one of v2, by its name, as
    /// `io.k8s.api.apps.v1.Deployment`.
    ///
    /// # Errors
    ///
    /// That there is no such schema; the first thing that is wrong with it.
    pub fn openapi(&self, document: &Value, name: &str) -> Result<PatchSchema, SchemaError> {
        self.read(&in_openapi(document, name)?)
    }

    /// Reads the schema of a version of a CRD, by default the one that is stored.
    ///
    /// API servers refuse strategic merge patches of custom resources; this is for clients and tools that merge by
    /// themselves.
    ///
    /// # Errors
    ///
    /// That there is no such version, or none with a schema; the first thing that is wrong with it.
    pub fn crd(&self, crd: &Value, version: Option<&str>) -> Result<PatchSchema, SchemaError> {
        self.read(&in_crd(crd, version)?.schema)
    }

    fn read(&self, start: &Located<'_>) -> Result<PatchSchema, SchemaError> {
        read(start, self.limits, self.policy)
    }
}

impl PatchSchema {
    /// Reads a schema; references in it lead into itself. The [front page](crate) has an example.
    ///
    /// # Errors
    ///
    /// The first thing that is wrong with the schema. Strategies and merge keys are not judged
    /// here: what is wrong with them is an error of the patches that use them, as in Kubernetes.
    pub fn compile(schema: &Value) -> Result<Self, SchemaError> {
        Self::compiler().schema(schema)
    }

    /// Reads from documents, by a policy and by limits of yours.
    #[must_use]
    pub fn compiler() -> Compiler {
        Compiler::default()
    }
}
