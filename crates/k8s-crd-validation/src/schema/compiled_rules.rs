//! The CEL rules of a schema, compiled once and evaluated for every request.

use std::sync::Arc;

use k8s_cel::{DeclaredTypes, Program};
use union_runtime::path::FieldPath;

use super::allowed_functions::AllowedFunctions;
use super::node::{NodeId, ROOT};

/// The CEL rules of a schema, compiled.
#[derive(Clone, Debug)]
pub(crate) struct CompiledRules {
    pub(crate) declared_types: Arc<DeclaredTypes>,
    pub(crate) allowed_functions: AllowedFunctions,
    /// The outermost schema with rules. The schemas inside it have larger indices.
    start: NodeId,
    /// The rules of each schema, from `start` to the last schema with rules.
    nodes: Vec<NodeRules>,
    /// The empty rules of all other schemas.
    no_rules: NodeRules,
}

/// The rules of one schema.
#[derive(Clone, Debug, Default)]
pub(crate) struct NodeRules {
    pub(crate) rules: Box<[CompiledRule]>,
    /// True if a rule of the schema uses `oldSelf`.
    pub(crate) uses_old_self: bool,
    /// True if this schema or a schema inside it has rules, branches of `allOf` included.
    pub(crate) has_rules: bool,
    /// The properties that have rules, or that contain values with rules.
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
    /// The program, or `None` if the rule is empty, or the message of the compiler.
    pub(crate) program: Result<Option<Program>, Box<str>>,
    pub(crate) message: CompiledMessage,
    /// The path that is appended to the path of the value in errors.
    pub(crate) field_path: FieldPath,
    /// The largest cost of the rule.
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
    /// Returns an empty table for the rules of schema `start` and the schemas inside it.
    pub(crate) fn empty(
        declared: Arc<DeclaredTypes>,
        libraries: AllowedFunctions,
        start: NodeId,
    ) -> Self {
        Self {
            declared_types: declared,
            allowed_functions: libraries,
            start,
            nodes: Vec::new(),
            no_rules: NodeRules::default(),
        }
    }

    /// Returns true if any rule can be evaluated.
    pub(crate) fn has_evaluable_rules(&self) -> bool {
        self.node(ROOT).has_rules
    }

    pub(crate) fn node(&self, id: NodeId) -> &NodeRules {
        let at = id.checked_sub(self.start);
        at.and_then(|at| self.nodes.get(at as usize))
            .unwrap_or(&self.no_rules)
    }

    pub(crate) fn set(&mut self, id: NodeId, node: NodeRules) {
        let at = id.saturating_sub(self.start) as usize;
        if self.nodes.len() <= at {
            self.nodes.resize_with(at + 1, NodeRules::default);
        }
        if let Some(place) = self.nodes.get_mut(at) {
            *place = node;
        }
    }
}

impl CompiledRule {
    pub(crate) fn uses_old_self(&self) -> bool {
        matches!(&self.program, Ok(Some(program)) if program.uses_old_self())
    }
}
