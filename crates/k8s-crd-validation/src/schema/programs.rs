//! The CEL rules of a schema, compiled once: what is evaluated for every request.

use std::sync::Arc;

use k8s_cel::{DeclaredTypes, Program};
use union_runtime::path::FieldPath;

use super::libraries::Libraries;
use super::node::{NodeId, ROOT};

/// The rules of a schema, compiled once.
#[derive(Clone, Debug)]
pub(crate) struct Programs {
    pub(crate) declared: Arc<DeclaredTypes>,
    pub(crate) libraries: Libraries,
    /// The schema that they begin with. What it holds comes after it.
    start: NodeId,
    /// By schema, from that one to the last that has rules.
    nodes: Vec<NodeRules>,
    /// Those of any other.
    nothing: NodeRules,
}

/// The rules of one schema.
#[derive(Clone, Debug, Default)]
pub(crate) struct NodeRules {
    pub(crate) rules: Box<[Compiled]>,
    /// Whether a rule mentions `oldSelf`, so that all of them may.
    pub(crate) uses_old_self: bool,
    /// Whether there are rules here or in what it holds, branches of `allOf` included.
    pub(crate) has_rules: bool,
    /// The properties that have rules, or hold some.
    pub(crate) fields: Box<[FieldRules]>,
    /// Why the rules cannot be compiled at all.
    pub(crate) problem: Option<&'static str>,
}

/// A property with rules.
#[derive(Clone, Debug)]
pub(crate) struct FieldRules {
    pub(crate) name: Box<str>,
    /// The schema that the rules come from.
    pub(crate) rules: NodeId,
    /// The schema of the value.
    pub(crate) node: NodeId,
}

/// A rule, compiled.
#[derive(Clone, Debug)]
pub(crate) struct Compiled {
    /// What is evaluated; nothing where the rule is empty; an error where it cannot be.
    pub(crate) program: Result<Option<Program>, Box<str>>,
    pub(crate) message: Message,
    /// As it is appended to the path of the node.
    pub(crate) field_path: FieldPath,
    /// What the two may cost at worst.
    pub(crate) max_cost: u64,
    pub(crate) message_max_cost: u64,
}

/// A message expression, compiled.
#[derive(Clone, Debug)]
pub(crate) enum Message {
    None,
    Program(Box<Program>),
    Error(Box<str>),
}

impl Programs {
    /// Without any rules yet; those of schema `start` and what it holds may come.
    pub(crate) fn none(declared: Arc<DeclaredTypes>, libraries: Libraries, start: NodeId) -> Self {
        Self {
            declared,
            libraries,
            start,
            nodes: Vec::new(),
            nothing: NodeRules::default(),
        }
    }

    /// Whether any rule can be evaluated.
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
