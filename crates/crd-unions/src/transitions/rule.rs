//! A transition rule, its evaluation, and the values whose change the rule forbids.

use k8s_cel::cost::PER_CALL_LIMIT;
use k8s_cel::syntax::{Ast, AstKind};
use k8s_cel::{Binding, DeclaredTypes, Environment, Evaluator, Program};
use serde_json::{Map, Value};

use crate::terms::conjuncts::{VariableScope, find_property, select_chain};
use crate::transitions::cel_types::cel_type;
use crate::transitions::schema_tree::SchemaRule;

/// A compiled rule that reads `oldSelf`.
pub(crate) struct TransitionRule<'s> {
    pub(crate) expression: &'s str,
    pub(crate) message: Option<&'s str>,
    /// The position in the list of rules.
    pub(crate) index: usize,
    pub(crate) ast: &'s Ast,
    /// True if the server also evaluates the rule without an old value.
    has_optional_old_value: bool,
    types: DeclaredTypes,
    program: Program,
}

/// The result of a rule for an update.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RuleResult {
    True,
    False,
    /// The evaluation fails, or exceeds its cost.
    Error,
}

impl<'s> TransitionRule<'s> {
    /// Compiles a rule of a schema. Returns `None` if the rule is not valid, or if the schema has
    /// more than `schemas_left` subschemas.
    pub(crate) fn compile(
        schema: &Map<String, Value>,
        rule: &SchemaRule<'s>,
        schemas_left: &mut usize,
    ) -> Option<Self> {
        let SchemaRule {
            index,
            expression,
            entry,
            ast,
        } = *rule;
        let has_optional_old_value = entry.get("optionalOldSelf") == Some(&Value::Bool(true));
        let types = cel_type(schema, schemas_left)?.build().ok()?;
        let program = Environment::new(&types, DeclaredTypes::ROOT)
            .optional_old_self(has_optional_old_value)
            .compile(expression)
            .ok()?;
        Some(Self {
            has_optional_old_value,
            expression,
            message: entry.get("message").and_then(Value::as_str),
            index,
            ast,
            types,
            program,
        })
    }

    /// Evaluates the rule for an update, and subtracts the cost from `cost_left`.
    pub(crate) fn evaluate(
        &self,
        old: Option<&Value>,
        new: &Value,
        cost_left: &mut u64,
    ) -> RuleResult {
        /// The steps for the conversion of the values, in addition to the cost.
        const CONVERSION_COST: u64 = 20;
        if *cost_left == 0 {
            return RuleResult::Error;
        }
        let new_binding = Binding::new(&self.types, new, DeclaredTypes::ROOT);
        let old_binding = match old {
            None => Binding::none(),
            Some(old) => {
                let binding = Binding::new(&self.types, old, DeclaredTypes::ROOT);
                if self.has_optional_old_value {
                    binding.into_optional()
                } else {
                    binding
                }
            }
        };
        let limit = PER_CALL_LIMIT.min(*cost_left);
        let mut evaluator = Evaluator::new(&self.types);
        let evaluation = evaluator.run(&self.program, &new_binding, Some(&old_binding), limit);
        *cost_left = cost_left.saturating_sub(evaluation.cost + CONVERSION_COST);
        match evaluation.result.map(|value| value.as_bool()) {
            Ok(Some(true)) => RuleResult::True,
            Ok(Some(false)) => RuleResult::False,
            _ => RuleResult::Error,
        }
    }

    /// Returns true if the server accepts a new value that had no old value.
    pub(crate) fn allows_new_value(&self, new: &Value, cost_left: &mut u64) -> bool {
        !self.has_optional_old_value || self.evaluate(None, new, cost_left) == RuleResult::True
    }

    /// Returns the paths, by JSON names, of the values that the rule reads from both the old and
    /// the new value. The empty path is the value of the schema itself.
    pub(crate) fn compared_paths(&self, schema: &'s Map<String, Value>) -> Vec<Vec<&'s str>> {
        /// The maximum number of compared paths of a rule.
        const MAX_PATHS: usize = 16;
        let old_paths = read_paths(self.ast, "oldSelf");
        let mut paths = read_paths(self.ast, "self");
        paths.retain(|path| old_paths.contains(path));
        paths.sort();
        paths.dedup();
        paths.truncate(MAX_PATHS);
        let paths = paths.into_iter();
        paths.filter_map(|path| json_path(schema, &path)).collect()
    }

    /// Returns true if the rule reads a field with this name in CEL.
    pub(crate) fn reads(&self, cel_name: &str) -> bool {
        self.ast
            .descendants()
            .any(|ast| matches!(&ast.kind, AstKind::Select { field, .. } if **field == *cel_name))
    }
}

/// Returns the paths that an expression reads from a variable. A path that is only checked with
/// `has` does not count.
fn read_paths<'a>(ast: &'a Ast, variable: &str) -> Vec<Vec<&'a str>> {
    let scope = VariableScope {
        name: variable,
        prefix: Vec::new(),
    };
    let mut paths = Vec::new();
    let mut stack = vec![ast];
    while let Some(ast) = stack.pop() {
        match select_chain(ast, &scope) {
            Some(chain) if !chain.test_only => paths.push(chain.names),
            Some(_) => {}
            None => stack.extend(ast.kind.children()),
        }
    }
    paths
}

/// Returns the JSON names of a path of CEL names, if the schema describes the path.
fn json_path<'s>(schema: &'s Map<String, Value>, path: &[&str]) -> Option<Vec<&'s str>> {
    let mut schema = schema;
    let mut names = Vec::with_capacity(path.len());
    for name in path {
        let (name, property) = find_property(schema, name)?;
        names.push(name);
        schema = property.as_object()?;
    }
    Some(names)
}
