//! Evaluates the rules over an object, in the order of an API server.

mod rules;

use k8s_cel::Evaluator;
use k8s_cel::cost::BUDGET;
use serde_json::Value;

use crate::schema::programs::{FieldRules, Programs};
use crate::schema::{Additional, NodeId, StructuralSchema};
use union_runtime::Violation;
use union_runtime::comparator::Equality;
use union_runtime::path::{Path, Step};

/// How rules are judged in a request.
pub(crate) struct Judge<'a> {
    pub(crate) schema: &'a StructuralSchema,
    pub(crate) programs: &'a Programs,
    pub(crate) equality: &'a Equality,
    /// The schema of the values that are judged: that of the object, or of a default.
    pub(crate) start: NodeId,
    /// Whether what is wrong with unchanged values is tolerated.
    pub(crate) ratchets: bool,
    /// Whether errors show values, and not the names of their types.
    pub(crate) shows_values: bool,
}

/// What came of it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Found {
    pub(crate) errors: Vec<Violation>,
    /// Rules that are not met by unchanged values.
    pub(crate) ratcheted: Vec<Violation>,
    /// Whether the costs were too high for more; the reason is among the errors.
    pub(crate) is_stopped: bool,
}

impl Judge<'_> {
    /// Evaluates the rules about an object.
    pub(crate) fn judge(&self, new: &Value, old: Option<&Value>) -> Found {
        self.judge_within(new, old, BUDGET).0
    }

    /// As [`judge`](Self::judge), with what is left of the budget.
    pub(super) fn judge_within(
        &self,
        new: &Value,
        old: Option<&Value>,
        budget: u64,
    ) -> (Found, u64) {
        let mut walk = Walk {
            judge: self,
            evaluator: Evaluator::new(&self.programs.declared),
            budget,
            found: Found::default(),
        };
        let root = self.start;
        let visit = Visit {
            rules: root,
            node: root,
            new,
            old,
        };
        let pairing = Pairing {
            paired: old.filter(|_| self.ratchets).map(|old| (root, new, old)),
            nearest: None,
        };
        walk.found.is_stopped = walk.visit(&visit, pairing, &Path::ROOT).is_err();
        (walk.found, walk.budget)
    }
}

/// No further rules are evaluated.
struct Stop;

/// A value, the old one that `oldSelf` is, and the schemas that its rules and its type come from.
#[derive(Clone, Copy)]
struct Visit<'v> {
    rules: NodeId,
    node: NodeId,
    new: &'v Value,
    old: Option<&'v Value>,
}

/// A value with the old one that it is correlated with.
type Paired<'v> = (NodeId, &'v Value, &'v Value);

/// What decides whether what is wrong with a value is tolerated.
#[derive(Clone, Copy)]
struct Pairing<'v> {
    paired: Option<Paired<'v>>,
    /// The nearest value above that is correlated.
    nearest: Option<Paired<'v>>,
}

impl<'v> Pairing<'v> {
    /// The pairing of a value below; `old` is the one that it is correlated with.
    fn below(self, child: NodeId, new: &'v Value, old: Option<&'v Value>) -> Self {
        match self.paired {
            None => self,
            nearest => Self {
                paired: old.map(|old| (child, new, old)),
                nearest,
            },
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
        visit: &Visit<'v>,
        pairing: Pairing<'v>,
        at: &Path<'_>,
    ) -> Result<(), Stop> {
        let programs = self.judge.programs;
        if visit.new.is_null() || !programs.node(visit.rules).has_rules {
            return Ok(());
        }
        self.rules(visit, pairing, at)?;
        let schema = self.judge.schema;
        for branch in &schema.node(visit.rules).all_of {
            let pairing = Pairing {
                paired: None,
                nearest: pairing.nearest,
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
        visit: &Visit<'v>,
        items: &'v [Value],
        pairing: Pairing<'v>,
        at: &Path<'_>,
    ) -> Result<(), Stop> {
        let schema = self.judge.schema;
        let (rules, node) = (schema.node(visit.rules), schema.node(visit.node));
        let (Some(rules), Some(child)) = (rules.items, node.items) else {
            return Ok(());
        };
        let mut was = visit.old.map(|old| {
            let equality = self.judge.equality;
            equality.old_elements(schema.at(visit.node), Some(old))
        });
        // The two differ only where nothing is ratcheted.
        let is_paired = pairing.paired.is_some();
        for (i, new) in items.iter().enumerate() {
            let old = was.as_mut().and_then(|was| was.find(new));
            let old = old.map(|(_, old)| old);
            let below = Visit {
                rules,
                node: child,
                new,
                old: old.filter(|old| !old.is_null()),
            };
            let pairing = pairing.below(child, new, old.filter(|_| is_paired));
            self.visit(&below, pairing, &at.step(Step::Index(i)))?;
        }
        Ok(())
    }

    fn entries(
        &mut self,
        visit: &Visit<'v>,
        pairing: Pairing<'v>,
        at: &Path<'_>,
    ) -> Result<(), Stop> {
        let (schema, programs) = (self.judge.schema, self.judge.programs);
        let (rules, node) = (schema.node(visit.rules), schema.node(visit.node));
        let Value::Object(object) = visit.new else {
            return Ok(());
        };
        let old = visit.old.and_then(Value::as_object);
        let paired = pairing.paired.and_then(|(_, _, old)| old.as_object());
        let below = |child: NodeId, key: &str, new: &'v Value| {
            let is_type = pairing.nearest.is_none() && matches!(key, "apiVersion" | "kind");
            if pairing.paired.is_some() && is_type {
                return Pairing {
                    paired: None,
                    nearest: None,
                };
            }
            pairing.below(child, new, paired.and_then(|paired| paired.get(key)))
        };
        if let (Additional::Schema(rules), Additional::Schema(child)) =
            (rules.additional, node.additional)
            && programs.node(rules).has_rules
        {
            for (key, new) in object {
                let old = old.and_then(|old| old.get(key));
                let visit = Visit {
                    rules,
                    node: child,
                    new,
                    old: old.filter(|old| !old.is_null()),
                };
                // A property of that name has a schema of its own, which decides about equality.
                let described = node.child(key).unwrap_or(child);
                self.visit(&visit, below(described, key, new), &at.step(Step::Key(key)))?;
            }
        }
        for FieldRules {
            name: key,
            rules,
            node: child,
        } in &programs.node(visit.rules).fields
        {
            if let Some(new) = object.get(&**key) {
                let old = old.and_then(|old| old.get(&**key));
                let visit = Visit {
                    rules: *rules,
                    node: *child,
                    new,
                    old: old.filter(|old| !old.is_null()),
                };
                self.visit(&visit, below(*child, key, new), &at.field(key))?;
            }
        }
        Ok(())
    }
}
