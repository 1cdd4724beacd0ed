//! Evaluation of the rules of an object, in the order of an API server.

mod rules;

use core::cell::RefCell;

use k8s_cel::cost::RUNTIME_COST_BUDGET;
use k8s_cel::{Evaluator, KubeVersion};
use serde_json::Value;

use crate::decode::ratchet::{OldObject, OldValue};
use crate::schema::structural::compiled_rules::{CompiledRules, FieldRules};
use crate::schema::{AdditionalProperties, NodeId, StructuralSchema};
use crate::validate::errors::origin::ErrorOrigin;
use crate::validate::errors::sink::ErrorScope;
use union_runtime::Violation;
use union_runtime::comparator::Equality;
use union_runtime::path::{FieldPath, Path, PathStep};

/// The parameters for the evaluation of rules in a request.
pub(crate) struct RuleEvaluator<'a> {
    pub(crate) schema: &'a StructuralSchema,
    pub(crate) compiled_rules: &'a CompiledRules,
    /// The schema of the evaluated value: the schema of the whole object, or of a default.
    pub(crate) start: NodeId,
    /// True if errors in unchanged values are tolerated.
    pub(crate) ratchets: bool,
    /// True if values are compared by deep equality.
    pub(crate) is_deep: bool,
    /// The version of the server.
    pub(crate) version: KubeVersion,
    /// True if the results contain the rules that report errors, and the reasons why violations
    /// are not tolerated.
    pub(crate) explains: bool,
}

/// The results of an evaluation.
#[derive(Clone, Debug, Default)]
pub(crate) struct RuleResults {
    pub(crate) errors: Vec<Violation>,
    /// Errors of rules that unchanged values violate.
    pub(crate) ratcheted: Vec<Violation>,
    /// Errors of rules that cannot be evaluated on unchanged values. `RatchetingPolicy::Kep4008`
    /// tolerates them.
    pub(crate) unevaluated: Vec<Violation>,
    /// The violations of an update that are not tolerated, if the evaluation explains them.
    pub(crate) kept: Vec<KeptViolation>,
    /// All errors with their rules, if the evaluation explains them.
    pub(crate) origins: Vec<(Violation, ErrorOrigin)>,
    /// True if the evaluation stopped because the costs were too high. The reason is among the
    /// errors.
    pub(crate) is_stopped: bool,
}

/// A violation that is not tolerated.
#[derive(Clone, Debug)]
pub(crate) struct KeptViolation {
    pub(crate) violation: Violation,
    pub(crate) reason: KeptReason,
}

/// The reason why a violation is not tolerated.
#[derive(Clone, Debug)]
pub(crate) enum KeptReason {
    /// The rule reads `oldSelf`, and the value is unchanged.
    OldSelf,
    /// The value at this path, which was compared with its old value, has changed.
    Changed(FieldPath, ErrorScope),
}

impl RuleEvaluator<'_> {
    /// Evaluates the rules of an object.
    pub(crate) fn evaluate(&self, new: &Value, old: Option<&dyn OldObject>) -> RuleResults {
        self.evaluate_within_budget(new, old, RUNTIME_COST_BUDGET).0
    }

    /// Evaluates rules like [`evaluate`](Self::evaluate), within `budget`. Also returns the
    /// remaining budget.
    pub(super) fn evaluate_within_budget(
        &self,
        new: &Value,
        old: Option<&dyn OldObject>,
        budget: u64,
    ) -> (RuleResults, u64) {
        let mut walk = RuleWalk {
            rule_evaluator: self,
            evaluator: Evaluator::new(&self.compiled_rules.declared_types),
            budget,
            results: RuleResults::default(),
        };
        let start = self.start;
        let equality = if self.is_deep {
            Equality::deep()
        } else {
            Equality::new()
        };
        let old_root = old.map(|old| OldValue::root(old, &equality, self.schema.node(start)));
        let root_node = RuleNode {
            rules: start,
            node: start,
            new,
            old: old_root.as_ref(),
        };
        let root_pair = old_root.as_ref().filter(|_| self.ratchets);
        let root_pair = root_pair.map(|old_root| ValuePair {
            id: start,
            new,
            old: old_root,
            parent: None,
        });
        let context = RatchetContext {
            nearest: root_pair.as_ref(),
            is_correlated: root_pair.is_some(),
        };
        walk.results.is_stopped = walk.visit(&root_node, context, &Path::ROOT).is_err();
        (walk.results, walk.budget)
    }
}

/// A signal to stop the evaluation of rules.
struct BudgetExhausted;

/// A value and the old value for `oldSelf`, with the schemas that contain its rules and its type.
#[derive(Clone, Copy)]
struct RuleNode<'p, 'v> {
    /// The schema that contains the rules: `node`, or a schema in a branch of `allOf`.
    rules: NodeId,
    /// The schema that contains the type.
    node: NodeId,
    new: &'v Value,
    old: Option<&'p OldValue<'p, 'v>>,
}

/// The schemas of the value of a key.
#[derive(Clone, Copy)]
struct EntrySchemas {
    /// The schema that contains the rules.
    rules: NodeId,
    /// The schema that contains the type.
    node: NodeId,
    /// The schema by which the value is compared with its old value.
    equality: NodeId,
}

/// A value that is correlated with an old value.
struct ValuePair<'p, 'v> {
    id: NodeId,
    new: &'v Value,
    old: &'p OldValue<'p, 'v>,
    /// The value around this value.
    parent: Option<&'p ValuePair<'p, 'v>>,
}

/// The values that decide if errors are tolerated.
#[derive(Clone, Copy)]
struct RatchetContext<'p, 'v> {
    /// The visited value, or the nearest correlated value around the visited value.
    nearest: Option<&'p ValuePair<'p, 'v>>,
    /// True if the values inside the value are correlated too.
    is_correlated: bool,
}

impl<'p, 'v> RatchetContext<'p, 'v> {
    /// Returns a value inside this value with its old value, or `None` if there is no correlation.
    fn child_pair(
        self,
        id: NodeId,
        new: &'v Value,
        old: Option<&'p OldValue<'p, 'v>>,
    ) -> Option<ValuePair<'p, 'v>> {
        let old = old.filter(|_| self.is_correlated)?;
        Some(ValuePair {
            id,
            new,
            old,
            parent: self.nearest,
        })
    }

    /// Returns the old value to compare the visited value with, even if `oldSelf` is not available.
    fn old_value(self, rule_node: &RuleNode<'p, 'v>) -> Option<&'p OldValue<'p, 'v>> {
        let pair = self.nearest.filter(|_| self.is_correlated);
        pair.map(|pair| pair.old).or(rule_node.old)
    }

    /// Returns this context with `pair` as the nearest pair, or unchanged if `pair` is `None`.
    fn with_nearest(self, pair: Option<&'p ValuePair<'p, 'v>>) -> Self {
        Self {
            nearest: pair.or(self.nearest),
            ..self
        }
    }
}

/// A walk over an object that evaluates the rules, with the remaining budget and the results.
struct RuleWalk<'v> {
    rule_evaluator: &'v RuleEvaluator<'v>,
    evaluator: Evaluator<'v>,
    budget: u64,
    results: RuleResults,
}

impl<'v> RuleWalk<'v> {
    fn visit(
        &mut self,
        rule_node: &RuleNode<'_, 'v>,
        context: RatchetContext<'_, 'v>,
        path: &Path<'_>,
    ) -> Result<(), BudgetExhausted> {
        let compiled_rules = self.rule_evaluator.compiled_rules;
        if rule_node.new.is_null() || !compiled_rules.node(rule_node.rules).has_rules {
            return Ok(());
        }
        self.evaluate_rules(rule_node, context, path)?;
        let schema = self.rule_evaluator.schema;
        for branch in &schema.node(rule_node.rules).all_of {
            // A branch of `allOf` does not correlate the value: the nearest correlated value around
            // the value decides if errors are tolerated.
            let nearest = if context.is_correlated {
                context.nearest.and_then(|pair| pair.parent)
            } else {
                context.nearest
            };
            let context = RatchetContext {
                nearest,
                is_correlated: false,
            };
            self.visit(
                &RuleNode {
                    rules: *branch,
                    ..*rule_node
                },
                context,
                path,
            )?;
        }
        match rule_node.new {
            Value::Array(elements) => self.visit_elements(rule_node, elements, context, path),
            Value::Object(_) => self.visit_entries(rule_node, context, path),
            _ => Ok(()),
        }
    }

    fn visit_elements(
        &mut self,
        list_node: &RuleNode<'_, 'v>,
        elements: &'v [Value],
        context: RatchetContext<'_, 'v>,
        path: &Path<'_>,
    ) -> Result<(), BudgetExhausted> {
        let schema = self.rule_evaluator.schema;
        let rules_items = schema.node(list_node.rules).items;
        let type_items = schema.node(list_node.node).items;
        let (Some(rules), Some(node)) = (rules_items, type_items) else {
            return Ok(());
        };
        let old_list = context.old_value(list_node);
        // The old elements are indexed when they are first needed.
        let old_elements = RefCell::new(None);
        let find = |element: &Value| {
            let mut old_elements = old_elements.borrow_mut();
            let old_elements = old_elements.get_or_insert_with(|| {
                let old_list = old_list?;
                let schema = schema.comparator_schema(list_node.node);
                Some(old_list.equality().old_elements(schema, old_list.get()))
            });
            old_elements
                .as_mut()?
                .find(element)
                .map(|(position, _)| position)
        };
        for (i, new) in elements.iter().enumerate() {
            let old_element =
                old_list.map(|old_list| old_list.element(new, &find, schema.node(node)));
            let element_node = RuleNode {
                rules,
                node,
                new,
                old: old_element.as_ref().filter(|_| list_node.old.is_some()),
            };
            let element_pair = context.child_pair(node, new, old_element.as_ref());
            let context = context.with_nearest(element_pair.as_ref());
            self.visit(&element_node, context, &path.step(PathStep::Index(i)))?;
        }
        Ok(())
    }

    fn visit_entries(
        &mut self,
        object_node: &RuleNode<'_, 'v>,
        context: RatchetContext<'_, 'v>,
        path: &Path<'_>,
    ) -> Result<(), BudgetExhausted> {
        let schema = self.rule_evaluator.schema;
        let compiled_rules = self.rule_evaluator.compiled_rules;
        let rules_node = schema.node(object_node.rules);
        let type_node = schema.node(object_node.node);
        let Value::Object(object) = object_node.new else {
            return Ok(());
        };
        if let (AdditionalProperties::Schema(rules), AdditionalProperties::Schema(node)) = (
            rules_node.additional_properties,
            type_node.additional_properties,
        ) && compiled_rules.node(rules).has_rules
        {
            for (key, new) in object {
                // If the key is a property, the schema of the property determines the equality.
                let schemas = EntrySchemas {
                    rules,
                    node,
                    equality: type_node.child(key).unwrap_or(node),
                };
                let path = path.step(PathStep::Key(key));
                self.visit_entry(object_node, schemas, (key, new), context, &path)?;
            }
        }
        for FieldRules {
            name: key,
            rules,
            node,
        } in &compiled_rules.node(object_node.rules).fields
        {
            if let Some(new) = object.get(&**key) {
                let schemas = EntrySchemas {
                    rules: *rules,
                    node: *node,
                    equality: *node,
                };
                self.visit_entry(object_node, schemas, (key, new), context, &path.field(key))?;
            }
        }
        Ok(())
    }

    /// Visits the value of a key.
    fn visit_entry(
        &mut self,
        object_node: &RuleNode<'_, 'v>,
        schemas: EntrySchemas,
        (key, new): (&str, &'v Value),
        context: RatchetContext<'_, 'v>,
        path: &Path<'_>,
    ) -> Result<(), BudgetExhausted> {
        let schema = self.rule_evaluator.schema;
        let old_value = context.old_value(object_node);
        let old_value = old_value.map(|old| old.child(key, schema.node(schemas.equality)));
        // In a map of unknown type, an API server provides no `oldSelf` to rules of the values, but
        // tolerates errors in unchanged values.
        let has_old =
            object_node.old.is_some() && !schema.node(object_node.node).has_unknown_map_type;
        let value_node = RuleNode {
            rules: schemas.rules,
            node: schemas.node,
            new,
            old: old_value.as_ref().filter(|_| has_old),
        };
        // Errors of rules in `apiVersion` and `kind` of the root are never tolerated.
        let is_root = context.nearest.is_some_and(|pair| pair.parent.is_none());
        if context.is_correlated && is_root && matches!(key, "apiVersion" | "kind") {
            let context = RatchetContext {
                nearest: None,
                is_correlated: false,
            };
            return self.visit(&value_node, context, path);
        }
        let pair = context.child_pair(schemas.equality, new, old_value.as_ref());
        self.visit(&value_node, context.with_nearest(pair.as_ref()), path)
    }
}
