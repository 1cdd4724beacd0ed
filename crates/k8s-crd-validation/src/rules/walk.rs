//! Evaluation of the rules of an object, in the order of an API server.

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

/// The parameters for the evaluation of rules in a request.
pub(crate) struct Judge<'a> {
    pub(crate) schema: &'a StructuralSchema,
    pub(crate) programs: &'a Programs,
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
pub(crate) struct Found {
    pub(crate) errors: Vec<Violation>,
    /// Errors of rules that unchanged values violate.
    pub(crate) ratcheted: Vec<Violation>,
    /// Errors of rules that cannot be evaluated on unchanged values. `Policy::Kep4008` tolerates
    /// them.
    pub(crate) unevaluated: Vec<Violation>,
    /// True if the evaluation stopped because the costs were too high. The reason is among the
    /// errors.
    pub(crate) is_stopped: bool,
}

impl Judge<'_> {
    /// Evaluates the rules of an object.
    pub(crate) fn judge(&self, new: &Value, old: Option<&dyn Past>) -> Found {
        self.judge_within(new, old, BUDGET).0
    }

    /// Evaluates rules like [`judge`](Self::judge), with a given budget. Returns the remaining
    /// budget too.
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

/// A signal to stop the evaluation of rules.
struct Stop;

/// A value and the old value for `oldSelf`, with the schemas that contain its rules and its type.
#[derive(Clone, Copy)]
struct Visit<'p, 'v> {
    rules: NodeId,
    node: NodeId,
    new: &'v Value,
    old: Option<&'p Before<'p, 'v>>,
}

/// A value that is correlated with an old value.
struct Paired<'p, 'v> {
    id: NodeId,
    new: &'v Value,
    before: &'p Before<'p, 'v>,
    /// The value around this value.
    above: Option<&'p Paired<'p, 'v>>,
}

/// The values that decide if errors are tolerated.
#[derive(Clone, Copy)]
struct Pairing<'p, 'v> {
    /// The value itself, or the nearest correlated value around it.
    nearest: Option<&'p Paired<'p, 'v>>,
    /// True if the values inside the value are correlated too.
    goes_on: bool,
}

impl<'p, 'v> Pairing<'p, 'v> {
    /// Returns the correlation of a value inside this value, if it has one.
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

    /// Returns the old value to compare the visited value with, even if `oldSelf` is not available.
    fn before(self, visit: &Visit<'p, 'v>) -> Option<&'p Before<'p, 'v>> {
        let paired = self.nearest.filter(|_| self.goes_on);
        paired.map(|paired| paired.before).or(visit.old)
    }

    /// Returns this pairing with `paired` as the nearest value, if there is one.
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
        // The old elements are indexed when they are first needed.
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
                // A property with this name has its own schema, which decides about equality.
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

    /// Visits the value under a key. The three schemas contain its rules, its type, and its
    /// equality.
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
        // Seen: with an unknown map type, rules have no `oldSelf` for the values inside the map,
        // but errors in unchanged values are tolerated.
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
