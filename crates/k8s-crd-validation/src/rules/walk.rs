//! Evaluation of the rules of an object, in the order of an API server.

mod rules;

use core::cell::RefCell;

use k8s_cel::Evaluator;
use k8s_cel::cost::RUNTIME_COST_BUDGET;
use serde_json::Value;

use crate::decode::ratchet::{OldObject, OldValue};
use crate::schema::structural::compiled_rules::{CompiledRules, FieldRules};
use crate::schema::{AdditionalProperties, NodeId, StructuralSchema};
use union_runtime::Violation;
use union_runtime::comparator::Equality;
use union_runtime::path::{Path, PathStep};

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
    /// True if errors contain values; false if they contain the names of types instead.
    pub(crate) shows_values: bool,
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
    /// True if the evaluation stopped because the costs were too high. The reason is among the
    /// errors.
    pub(crate) is_stopped: bool,
}

impl RuleEvaluator<'_> {
    /// Evaluates the rules of an object.
    pub(crate) fn evaluate(&self, new: &Value, old: Option<&dyn OldObject>) -> RuleResults {
        self.evaluate_within_budget(new, old, RUNTIME_COST_BUDGET).0
    }

    /// Evaluates rules like [`evaluate`](Self::evaluate), with a given budget. Also returns the
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
        let root = self.start;
        let equality = if self.is_deep {
            Equality::deep()
        } else {
            Equality::new()
        };
        let before = old.map(|old| OldValue::root(old, &equality, self.schema.node(root)));
        let visit = RuleNode {
            rules: root,
            node: root,
            new,
            old: before.as_ref(),
        };
        let paired = before.as_ref().filter(|_| self.ratchets);
        let paired = paired.map(|before| ValuePair {
            id: root,
            new,
            old: before,
            parent: None,
        });
        let pairing = RatchetContext {
            nearest: paired.as_ref(),
            is_correlated: paired.is_some(),
        };
        walk.results.is_stopped = walk.visit(&visit, pairing, &Path::ROOT).is_err();
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
        before: Option<&'p OldValue<'p, 'v>>,
    ) -> Option<ValuePair<'p, 'v>> {
        let before = before.filter(|_| self.is_correlated)?;
        Some(ValuePair {
            id,
            new,
            old: before,
            parent: self.nearest,
        })
    }

    /// Returns the old value to compare the visited value with, even if `oldSelf` is not available.
    fn old_value(self, visit: &RuleNode<'p, 'v>) -> Option<&'p OldValue<'p, 'v>> {
        let paired = self.nearest.filter(|_| self.is_correlated);
        paired.map(|paired| paired.old).or(visit.old)
    }

    /// Returns this context with `paired` as the nearest pair, or unchanged if `paired` is `None`.
    fn with_nearest(self, paired: Option<&'p ValuePair<'p, 'v>>) -> Self {
        Self {
            nearest: paired.or(self.nearest),
            ..self
        }
    }
}

struct RuleWalk<'v> {
    rule_evaluator: &'v RuleEvaluator<'v>,
    evaluator: Evaluator<'v>,
    budget: u64,
    results: RuleResults,
}

impl<'v> RuleWalk<'v> {
    fn visit(
        &mut self,
        visit: &RuleNode<'_, 'v>,
        pairing: RatchetContext<'_, 'v>,
        path: &Path<'_>,
    ) -> Result<(), BudgetExhausted> {
        let programs = self.rule_evaluator.compiled_rules;
        if visit.new.is_null() || !programs.node(visit.rules).has_rules {
            return Ok(());
        }
        self.evaluate_rules(visit, pairing, path)?;
        let schema = self.rule_evaluator.schema;
        for branch in &schema.node(visit.rules).all_of {
            let nearest = if pairing.is_correlated {
                pairing.nearest.and_then(|paired| paired.parent)
            } else {
                pairing.nearest
            };
            let pairing = RatchetContext {
                nearest,
                is_correlated: false,
            };
            self.visit(
                &RuleNode {
                    rules: *branch,
                    ..*visit
                },
                pairing,
                path,
            )?;
        }
        match visit.new {
            Value::Array(items) => self.items(visit, items, pairing, path),
            Value::Object(_) => self.entries(visit, pairing, path),
            _ => Ok(()),
        }
    }

    fn items(
        &mut self,
        visit: &RuleNode<'_, 'v>,
        items: &'v [Value],
        pairing: RatchetContext<'_, 'v>,
        path: &Path<'_>,
    ) -> Result<(), BudgetExhausted> {
        let schema = self.rule_evaluator.schema;
        let (rules, node) = (schema.node(visit.rules), schema.node(visit.node));
        let (Some(rules), Some(child)) = (rules.items, node.items) else {
            return Ok(());
        };
        let list = pairing.old_value(visit);
        // The old elements are indexed when they are first needed.
        let was = RefCell::new(None);
        let find = |element: &Value| {
            let mut was = was.borrow_mut();
            let was = was.get_or_insert_with(|| {
                let list = list?;
                let schema = schema.comparator_schema(visit.node);
                Some(list.equality().old_elements(schema, list.get()))
            });
            was.as_mut()?.find(element).map(|(position, _)| position)
        };
        for (i, new) in items.iter().enumerate() {
            let before = list.map(|list| list.element(new, &find, schema.node(child)));
            let below = RuleNode {
                rules,
                node: child,
                new,
                old: before.as_ref().filter(|_| visit.old.is_some()),
            };
            let paired = pairing.child_pair(child, new, before.as_ref());
            let pairing = pairing.with_nearest(paired.as_ref());
            self.visit(&below, pairing, &path.step(PathStep::Index(i)))?;
        }
        Ok(())
    }

    fn entries(
        &mut self,
        visit: &RuleNode<'_, 'v>,
        pairing: RatchetContext<'_, 'v>,
        path: &Path<'_>,
    ) -> Result<(), BudgetExhausted> {
        let (schema, programs) = (
            self.rule_evaluator.schema,
            self.rule_evaluator.compiled_rules,
        );
        let (rules, node) = (schema.node(visit.rules), schema.node(visit.node));
        let Value::Object(object) = visit.new else {
            return Ok(());
        };
        if let (AdditionalProperties::Schema(rules), AdditionalProperties::Schema(child)) =
            (rules.additional_properties, node.additional_properties)
            && programs.node(rules).has_rules
        {
            for (key, new) in object {
                // If the key is a property, the schema of the property determines the equality.
                let described = node.child(key).unwrap_or(child);
                let fields = (rules, child, described);
                self.entry(
                    visit,
                    fields,
                    (key, new),
                    pairing,
                    &path.step(PathStep::Key(key)),
                )?;
            }
        }
        for FieldRules {
            name: key,
            rules,
            node: child,
        } in &programs.node(visit.rules).fields
        {
            if let Some(new) = object.get(&**key) {
                let fields = (*rules, *child, *child);
                self.entry(visit, fields, (key, new), pairing, &path.field(key))?;
            }
        }
        Ok(())
    }

    /// Visits the value of a key. The three schemas determine the rules, the type and the equality
    /// of the value.
    fn entry(
        &mut self,
        visit: &RuleNode<'_, 'v>,
        (rules, node, described): (NodeId, NodeId, NodeId),
        (key, new): (&str, &'v Value),
        pairing: RatchetContext<'_, 'v>,
        path: &Path<'_>,
    ) -> Result<(), BudgetExhausted> {
        let schema = self.rule_evaluator.schema;
        let before = pairing.old_value(visit);
        let before = before.map(|old| old.child(key, schema.node(described)));
        // In a map of unknown type, an API server provides no `oldSelf` to rules of the values, but
        // tolerates errors in unchanged values.
        let has_old = visit.old.is_some() && !schema.node(visit.node).has_unknown_map_type;
        let below = RuleNode {
            rules,
            node,
            new,
            old: before.as_ref().filter(|_| has_old),
        };
        let is_root = pairing
            .nearest
            .is_some_and(|paired| paired.parent.is_none());
        if pairing.is_correlated && is_root && matches!(key, "apiVersion" | "kind") {
            let pairing = RatchetContext {
                nearest: None,
                is_correlated: false,
            };
            return self.visit(&below, pairing, path);
        }
        let paired = pairing.child_pair(described, new, before.as_ref());
        self.visit(&below, pairing.with_nearest(paired.as_ref()), path)
    }
}
