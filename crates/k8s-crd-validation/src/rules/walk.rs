//! Evaluates the rules over an object, in the order of an API server.

mod rules;

use core::cell::RefCell;

use k8s_cel::Evaluator;
use k8s_cel::cost::BUDGET;
use serde_json::Value;

use crate::decode::correlate::{Before, Past};
use crate::schema::programs::{FieldRules, Programs};
use crate::schema::{Additional, NodeId, StructuralSchema};
use union_runtime::Violation;
use union_runtime::comparator::Equality;
use union_runtime::path::{Path, Step};

/// How rules are judged in a request.
pub(crate) struct Judge<'a> {
    pub(crate) schema: &'a StructuralSchema,
    pub(crate) programs: &'a Programs,
    /// The schema of the values that are judged: that of the object, or of a default.
    pub(crate) start: NodeId,
    /// Whether what is wrong with unchanged values is tolerated.
    pub(crate) ratchets: bool,
    /// True if values are compared by deep equality.
    pub(crate) is_deep: bool,
    /// Whether errors show values, and not the names of their types.
    pub(crate) shows_values: bool,
}

/// What came of it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Found {
    pub(crate) errors: Vec<Violation>,
    /// Rules that are not met by unchanged values.
    pub(crate) ratcheted: Vec<Violation>,
    /// Rules that cannot be evaluated, on unchanged values: `Policy::Kep4008` tolerates them.
    pub(crate) unevaluated: Vec<Violation>,
    /// Whether the costs were too high for more; the reason is among the errors.
    pub(crate) is_stopped: bool,
}

impl Judge<'_> {
    /// Evaluates the rules about an object.
    pub(crate) fn judge(&self, new: &Value, old: Option<&dyn Past>) -> Found {
        self.judge_within(new, old, BUDGET).0
    }

    /// As [`judge`](Self::judge), with what is left of the budget.
    pub(super) fn judge_within(
        &self,
        new: &Value,
        old: Option<&dyn Past>,
        budget: u64,
    ) -> (Found, u64) {
        let mut walk = Walk {
            judge: self,
            evaluator: Evaluator::new(&self.programs.declared),
            budget,
            found: Found::default(),
        };
        let root = self.start;
        let equality = if self.is_deep {
            Equality::deep()
        } else {
            Equality::new()
        };
        let before = old.map(|old| Before::root(old, &equality, self.schema.node(root)));
        let visit = Visit {
            rules: root,
            node: root,
            new,
            old: before.as_ref(),
        };
        let paired = before.as_ref().filter(|_| self.ratchets);
        let paired = paired.map(|before| Paired {
            id: root,
            new,
            before,
            above: None,
        });
        let pairing = Pairing {
            nearest: paired.as_ref(),
            goes_on: paired.is_some(),
        };
        walk.found.is_stopped = walk.visit(&visit, pairing, &Path::ROOT).is_err();
        (walk.found, walk.budget)
    }
}

/// No further rules are evaluated.
struct Stop;

/// A value, the old one that `oldSelf` is, and the schemas that its rules and its type come from.
#[derive(Clone, Copy)]
struct Visit<'p, 'v> {
    rules: NodeId,
    node: NodeId,
    new: &'v Value,
    old: Option<&'p Before<'p, 'v>>,
}

/// A value with the old one that it is correlated with, if there is one.
struct Paired<'p, 'v> {
    id: NodeId,
    new: &'v Value,
    before: &'p Before<'p, 'v>,
    /// The value that it is in.
    above: Option<&'p Paired<'p, 'v>>,
}

/// What decides whether what is wrong with a value is tolerated.
#[derive(Clone, Copy)]
struct Pairing<'p, 'v> {
    /// The value, or the nearest one above that is paired.
    nearest: Option<&'p Paired<'p, 'v>>,
    /// Whether what is in the value is paired too.
    goes_on: bool,
}

impl<'p, 'v> Pairing<'p, 'v> {
    /// The pairing of a value below, if it is one of its own.
    fn below(
        self,
        id: NodeId,
        new: &'v Value,
        before: Option<&'p Before<'p, 'v>>,
    ) -> Option<Paired<'p, 'v>> {
        let before = before.filter(|_| self.goes_on)?;
        Some(Paired {
            id,
            new,
            before,
            above: self.nearest,
        })
    }

    /// The old value of the one that is visited: to compare with, where rules know none.
    fn before(self, visit: &Visit<'p, 'v>) -> Option<&'p Before<'p, 'v>> {
        let paired = self.nearest.filter(|_| self.goes_on);
        paired.map(|paired| paired.before).or(visit.old)
    }

    /// The same pairing, or that of the value that has its own.
    fn or(self, paired: Option<&'p Paired<'p, 'v>>) -> Self {
        Self {
            nearest: paired.or(self.nearest),
            ..self
        }
    }
}

struct Walk<'v> {
    judge: &'v Judge<'v>,
    evaluator: Evaluator<'v>,
    budget: u64,
    found: Found,
}

impl<'v> Walk<'v> {
    fn visit(
        &mut self,
        visit: &Visit<'_, 'v>,
        pairing: Pairing<'_, 'v>,
        at: &Path<'_>,
    ) -> Result<(), Stop> {
        let programs = self.judge.programs;
        if visit.new.is_null() || !programs.node(visit.rules).has_rules {
            return Ok(());
        }
        self.rules(visit, pairing, at)?;
        let schema = self.judge.schema;
        for branch in &schema.node(visit.rules).all_of {
            let nearest = if pairing.goes_on {
                pairing.nearest.and_then(|paired| paired.above)
            } else {
                pairing.nearest
            };
            let pairing = Pairing {
                nearest,
                goes_on: false,
            };
            self.visit(
                &Visit {
                    rules: *branch,
                    ..*visit
                },
                pairing,
                at,
            )?;
        }
        match visit.new {
            Value::Array(items) => self.items(visit, items, pairing, at),
            Value::Object(_) => self.entries(visit, pairing, at),
            _ => Ok(()),
        }
    }

    fn items(
        &mut self,
        visit: &Visit<'_, 'v>,
        items: &'v [Value],
        pairing: Pairing<'_, 'v>,
        at: &Path<'_>,
    ) -> Result<(), Stop> {
        let schema = self.judge.schema;
        let (rules, node) = (schema.node(visit.rules), schema.node(visit.node));
        let (Some(rules), Some(child)) = (rules.items, node.items) else {
            return Ok(());
        };
        let list = pairing.before(visit);
        // The old elements are looked up where one is asked for.
        let was = RefCell::new(None);
        let find = |element: &Value| {
            let mut was = was.borrow_mut();
            let was = was.get_or_insert_with(|| {
                let list = list?;
                let schema = schema.at(visit.node);
                Some(list.equality().old_elements(schema, list.get()))
            });
            was.as_mut()?.find(element).map(|(position, _)| position)
        };
        for (i, new) in items.iter().enumerate() {
            let before = list.map(|list| list.element(new, &find, schema.node(child)));
            let below = Visit {
                rules,
                node: child,
                new,
                old: before.as_ref().filter(|_| visit.old.is_some()),
            };
            let paired = pairing.below(child, new, before.as_ref());
            let pairing = pairing.or(paired.as_ref());
            self.visit(&below, pairing, &at.step(Step::Index(i)))?;
        }
        Ok(())
    }

    fn entries(
        &mut self,
        visit: &Visit<'_, 'v>,
        pairing: Pairing<'_, 'v>,
        at: &Path<'_>,
    ) -> Result<(), Stop> {
        let (schema, programs) = (self.judge.schema, self.judge.programs);
        let (rules, node) = (schema.node(visit.rules), schema.node(visit.node));
        let Value::Object(object) = visit.new else {
            return Ok(());
        };
        if let (Additional::Schema(rules), Additional::Schema(child)) =
            (rules.additional, node.additional)
            && programs.node(rules).has_rules
        {
            for (key, new) in object {
                // A property of that name has a schema of its own, which decides about equality.
                let described = node.child(key).unwrap_or(child);
                let fields = (rules, child, described);
                self.entry(visit, fields, (key, new), pairing, &at.step(Step::Key(key)))?;
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
                self.entry(visit, fields, (key, new), pairing, &at.field(key))?;
            }
        }
        Ok(())
    }

    /// Visits a value under a key; the schemas are those of its rules, of its type, and of what is stored there.
    fn entry(
        &mut self,
        visit: &Visit<'_, 'v>,
        (rules, node, described): (NodeId, NodeId, NodeId),
        (key, new): (&str, &'v Value),
        pairing: Pairing<'_, 'v>,
        at: &Path<'_>,
    ) -> Result<(), Stop> {
        let schema = self.judge.schema;
        let before = pairing.before(visit);
        let before = before.map(|old| old.child(key, schema.node(described)));
        // Seen: of what is in a map of no type that there is, rules know no old value, but what is wrong is tolerated all the same.
        let has_old = visit.old.is_some() && !schema.node(visit.node).has_odd_map_type;
        let below = Visit {
            rules,
            node,
            new,
            old: before.as_ref().filter(|_| has_old),
        };
        let is_root = pairing.nearest.is_some_and(|paired| paired.above.is_none());
        if pairing.goes_on && is_root && matches!(key, "apiVersion" | "kind") {
            let pairing = Pairing {
                nearest: None,
                goes_on: false,
            };
            return self.visit(&below, pairing, at);
        }
        let paired = pairing.below(described, new, before.as_ref());
        self.visit(&below, pairing.or(paired.as_ref()), at)
    }
}
