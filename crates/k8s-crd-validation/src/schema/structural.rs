//! A structural schema: its table, and facts about the whole schema.

use super::compiled_rules::CompiledRules;
use super::crd_path::CrdPath;
use super::node::{Node, NodeId, ROOT};
use super::scale::ScalePaths;
use k8s_json_internals::rows::row;
use union_json::{SchemaError, Unions};

/// The schema of a version of a CRD, compiled once for any number of requests.
///
/// [`compile`](Self::compile) compiles a schema, or returns the errors for which an API server
/// rejects it. [The crate](crate) has an example.
#[derive(Clone, Debug)]
pub struct StructuralSchema {
    pub(crate) nodes: Vec<Node>,
    /// True if status is a subresource.
    pub(crate) status_subresource: bool,
    /// True if the CRD preserves unknown fields, which a CRD of `apiextensions.k8s.io/v1beta1` may
    /// do: nothing is pruned.
    pub(crate) preserves_unknown: bool,
    /// True if new values are correlated with old values. False for a stored schema that is not
    /// structural.
    pub(crate) correlates: bool,
    /// The paths of the scale subresource.
    pub(crate) scale: ScalePaths,
    /// The type of the objects, if the schema is part of a CRD.
    pub(crate) identity: Option<ObjectIdentity>,
    /// Facts about the whole schema that let a request skip work.
    pub(crate) facts: SchemaFacts,
    /// The CEL rules.
    pub(crate) compiled_rules: Option<CompiledRules>,
    /// The unions of the schema. API servers do not support unions.
    pub(crate) unions: Unions,
    /// The error for which the unions cannot be read at all.
    pub(crate) unions_error: Option<SchemaError>,
}

/// The type of the objects of a CRD.
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
    /// True if the generation, which a server sets, can appear in errors or change the result: the
    /// root is printed or has rules, or the schema restricts generations.
    pub(crate) depends_on_generation: bool,
}

impl StructuralSchema {
    /// Returns the problems of unions that the schema, or an annotation of the CRD, declares. An
    /// API server ignores unions, so the schema is valid in spite of these problems. Unions with
    /// problems are not validated, even if
    /// [`ServerSettings::unions`](crate::ServerSettings::unions) is set.
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
            Some(problem) => core::slice::from_ref(problem),
            None => self.unions.errors(),
        }
    }

    pub(crate) const ROOT: NodeId = ROOT;

    pub(crate) fn node(&self, id: NodeId) -> &Node {
        row(&self.nodes, id)
    }

    /// Calls `show` with each schema directly inside a schema, without combinators.
    pub(crate) fn for_each_child(
        &self,
        id: NodeId,
        at: &CrdPath<'_>,
        show: &mut dyn FnMut(NodeId, &CrdPath<'_>),
    ) {
        let node = self.node(id);
        for property in &node.properties {
            show(property.id, &at.key("properties", &property.name));
        }
        if let Some(items) = node.items {
            show(items, &at.field("items"));
        }
        if let Some(child) = node.additional_properties_schema() {
            show(child, &at.field("additionalProperties"));
        }
    }
}
