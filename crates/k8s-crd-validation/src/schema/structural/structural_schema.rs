//! A compiled structural schema: the table of its nodes, and facts about the whole schema.

use super::compiled_rules::CompiledRules;
use super::node::{Node, NodeId, ROOT};
use crate::schema::crd_path::CrdPath;
use crate::schema::scale::ScalePaths;
use k8s_json_internals::rows::row;
use union_json::{SchemaError, Unions};

/// The schema of a version of a CRD, compiled once for any number of requests.
///
/// [`compile`](Self::compile) compiles a schema, or returns the errors with which an API server
/// rejects the schema. See the [crate documentation](crate) for an example.
#[derive(Clone, Debug)]
pub struct StructuralSchema {
    pub(crate) nodes: Vec<Node>,
    /// True if the status is a subresource.
    pub(crate) status_subresource: bool,
    /// True if the CRD has `preserveUnknownFields: true`, which only `apiextensions.k8s.io/v1beta1`
    /// allows. Objects are then not pruned.
    pub(crate) preserves_unknown: bool,
    /// True if new values are correlated with old values. False for a stored schema that is not
    /// structural.
    pub(crate) correlates: bool,
    /// The paths of the scale subresource.
    pub(crate) scale: ScalePaths,
    /// The API version, the kind and the scope of the objects, if the schema is part of a CRD.
    pub(crate) identity: Option<ObjectIdentity>,
    /// Facts about the whole schema, with which requests skip unnecessary work.
    pub(crate) facts: SchemaFacts,
    /// The CEL rules.
    pub(crate) compiled_rules: Option<CompiledRules>,
    /// The unions that the schema declares. API servers ignore unions.
    pub(crate) unions: Unions,
    /// The error if the declarations of the unions are invalid as a whole.
    pub(crate) unions_error: Option<SchemaError>,
}

/// The API version, the kind and the scope of the objects of a CRD.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ObjectIdentity {
    pub(crate) api_version: String,
    pub(crate) kind: String,
    pub(crate) is_namespaced: bool,
}

/// Facts about the whole schema.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SchemaFacts {
    /// The number of CEL rules outside of combinators.
    pub(crate) rule_count: usize,
    /// True if the value of `metadata.generation`, which a server sets, can affect errors: an error
    /// may print the whole object, the root has rules, or the schema restricts the generation.
    pub(crate) depends_on_generation: bool,
}

impl StructuralSchema {
    /// Returns the errors in the unions that the schema, or an annotation of the CRD, declares. API
    /// servers ignore unions, so the errors do not make the schema invalid. Unions with errors are
    /// never validated, even if [`ServerSettings::unions`](crate::ServerSettings::unions) is set.
    ///
    /// ```
    /// use k8s_crd_validation::StructuralSchema;
    /// use serde_json::json;
    ///
    /// let schema = StructuralSchema::compile(&json!({
    ///     "type": "object", "properties": {"a": {"type": "string"}},
    ///     "x-kubernetes-unions": [{"fields-to-discriminateBy": {"b": "B"}}],
    /// }))?;
    /// let problem = schema.union_problems()[0].message();
    /// assert!(problem.contains(r#"a field "b", which is not a property"#));
    /// # Ok::<(), k8s_crd_validation::Report>(())
    /// ```
    #[must_use]
    pub fn union_problems(&self) -> &[SchemaError] {
        match &self.unions_error {
            Some(error) => core::slice::from_ref(error),
            None => self.unions.errors(),
        }
    }

    pub(crate) const ROOT: NodeId = ROOT;

    pub(crate) fn node(&self, id: NodeId) -> &Node {
        row(&self.nodes, id)
    }

    /// Calls `visit` with the schemas of the properties, of the items and of the additional
    /// properties of a schema, and with their paths.
    pub(crate) fn for_each_child(
        &self,
        id: NodeId,
        path: &CrdPath<'_>,
        visit: &mut dyn FnMut(NodeId, &CrdPath<'_>),
    ) {
        let node = self.node(id);
        for property in &node.properties {
            visit(property.id, &path.key("properties", &property.name));
        }
        if let Some(items) = node.items {
            visit(items, &path.field("items"));
        }
        if let Some(child) = node.additional_properties_schema() {
            visit(child, &path.field("additionalProperties"));
        }
    }
}
