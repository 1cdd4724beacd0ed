//! The CEL rules of a schema, compiled once and evaluated for every request.

use std::sync::Arc;

use k8s_cel::{DeclaredTypes, Program};
use union_runtime::path::FieldPath;

use super::node::{NodeId, ROOT};
use crate::schema::allowed_functions::AllowedFunctions;

/// The CEL rules of a schema, compiled.
#[derive(Clone, Debug)]
pub(crate) struct CompiledRules {
    pub(crate) declared_types: Arc<DeclaredTypes>,
    pub(crate) allowed_functions: AllowedFunctions,
    /// The id of the first schema with a row in `nodes`. Schemas inside a schema have larger ids.
    start: NodeId,
    /// The rules of each schema, from `start` to the last schema that was [set](Self::set).
    nodes: Vec<NodeRules>,
    /// The empty rules that [`node`](Self::node) returns for other schemas.
    no_rules: NodeRules,
}

/// The rules of one schema.
#[derive(Clone, Debug, Default)]
pub(crate) struct NodeRules {
    pub(crate) rules: Box<[CompiledRule]>,
    /// True if a rule of the schema uses `oldSelf`.
    pub(crate) uses_old_self: bool,
    /// True if this schema, a schema inside it, or a branch of their `allOf` has rules.
    pub(crate) has_rules: bool,
    /// The properties whose schemas have rules, or contain schemas with rules.
    pub(crate) fields: Box<[FieldRules]>,
    /// The reason why no rule of the schema can be compiled.
    pub(crate) problem: Option<&'static str>,
}

/// A property with rules.
#[derive(Clone, Debug)]
pub(crate) struct FieldRules {
    pub(crate) name: Box<str>,
    /// The schema that contains the rules, which may be a branch of `allOf`.
    pub(crate) rules: NodeId,
    /// The schema of the value.
    pub(crate) node: NodeId,
}

/// A compiled rule.
#[derive(Clone, Debug)]
pub(crate) struct CompiledRule {
    /// The program (`None` if the rule is empty), or the error message of the compiler.
    pub(crate) program: Result<Option<Program>, Box<str>>,
    pub(crate) message: CompiledMessage,
    /// The `fieldPath` of the rule, which errors append to the path of the value.
    pub(crate) field_path: FieldPath,
    /// The estimated maximum cost of an evaluation.
    pub(crate) max_cost: u64,
    pub(crate) message_max_cost: u64,
}

/// A compiled message expression.
#[derive(Clone, Debug)]
pub(crate) enum CompiledMessage {
    None,
    Program(Box<Program>),
    Error(Box<str>),
}

impl CompiledRules {
    /// Returns an empty table for the rules of the schema `start` and of the schemas inside it.
    pub(crate) fn empty(
        declared_types: Arc<DeclaredTypes>,
        allowed_functions: AllowedFunctions,
        start: NodeId,
    ) -> Self {
        Self {
            declared_types,
            allowed_functions,
            start,
            nodes: Vec::new(),
            no_rules: NodeRules::default(),
        }
    }

    /// Returns true if any rule can be evaluated.
    pub(crate) fn has_evaluable_rules(&self) -> bool {
        self.node(ROOT).has_rules
    }

    /// Returns the rules of a schema.
    pub(crate) fn node(&self, id: NodeId) -> &NodeRules {
        let row = id.checked_sub(self.start);
        row.and_then(|row| self.nodes.get(row as usize))
            .unwrap_or(&self.no_rules)
    }

    /// Sets the rules of a schema.
    pub(crate) fn set(&mut self, id: NodeId, node: NodeRules) {
        let row = id.saturating_sub(self.start) as usize;
        if self.nodes.len() <= row {
            self.nodes.resize_with(row + 1, NodeRules::default);
        }
        if let Some(slot) = self.nodes.get_mut(row) {
            *slot = node;
        }
    }
}

impl CompiledRule {
    pub(crate) fn uses_old_self(&self) -> bool {
        matches!(&self.program, Ok(Some(program)) if program.uses_old_self())
    }
}
