//! The CEL rules of a schema, compiled once and evaluated for every request.

use std::sync::Arc;

use k8s_cel::{DeclaredTypes, Program};
use union_runtime::path::FieldPath;

use super::libraries::Libraries;
use super::node::{NodeId, ROOT};

/// The CEL rules of a schema, compiled.
#[derive(Clone, Debug)]
pub(crate) struct Programs {
    pub(crate) declared: Arc<DeclaredTypes>,
    pub(crate) libraries: Libraries,
    /// The outermost schema with rules. The schemas inside it have larger indices.
    start: NodeId,
    /// The rules of each schema, from `start` to the last schema with rules.
    nodes: Vec<NodeRules>,
    /// The empty rules of all other schemas.
    nothing: NodeRules,
}

/// The rules of one schema.
#[derive(Clone, Debug, Default)]
pub(crate) struct NodeRules {
    pub(crate) rules: Box<[Compiled]>,
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
pub(crate) struct Compiled {
    /// The program, or `None` if the rule is empty, or the message of the compiler.
    pub(crate) program: Result<Option<Program>, Box<str>>,
    pub(crate) message: Message,
    /// The path that is appended to the path of the value in errors.
    pub(crate) field_path: FieldPath,
    /// The largest cost of the rule.
    pub(crate) max_cost: u64,
    pub(crate) message_max_cost: u64,
}

/// A compiled message expression.
#[derive(Clone, Debug)]
pub(crate) enum Message {
    None,
    Program(Box<Program>),
    Error(Box<str>),
}

impl Programs {
    /// Returns an empty table for the rules of schema `start` and the schemas inside it.
    pub(crate) fn none(declared: Arc<DeclaredTypes>, libraries: Libraries, start: NodeId) -> Self {
        Self {
            declared,
            libraries,
            start,
            nodes: Vec::new(),
            nothing: NodeRules::default(),
        }
    }

    /// Returns true if any rule can be evaluated.
    pub(crate) fn are_any(&self) -> bool {
        self.node(ROOT).has_rules
    }

    pub(crate) fn node(&self, id: NodeId) -> &NodeRules {
        let at = id.checked_sub(self.start);
        at.and_then(|at| self.nodes.get(at as usize))
            .unwrap_or(&self.nothing)
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

impl Compiled {
    pub(crate) fn uses_old_self(&self) -> bool {
        matches!(&self.program, Ok(Some(program)) if program.uses_old_self())
    }
}
