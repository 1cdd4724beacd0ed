//! Changes a state until the rules of the schema are true.

use std::collections::HashSet;

use k8s_cel::KubeVersion;
use k8s_cel::syntax::{Ast, AstKind, Literal, parse};
use serde_json::Value;
use union_json::document::SchemaStep;
use union_runtime::path::{FieldPath, PathStep};

use super::solver::{Binding, SELF, Solver, interleaved};

/// The maximum number of rules that are kept.
const RULES: usize = 32;

/// The maximum number of levels of a schema whose rules are kept.
const LEVELS: usize = 4;

/// The maximum number of places at which a rule is made true.
const PLACES: usize = 4;

/// The number of states that have all rules.
const ALTERNATIVES: usize = 3;

/// The rules of a schema and of the schemas below it.
#[derive(Default)]
pub(super) struct OtherRules {
    rules: Vec<(Vec<Step>, Ast)>,
    known: HashSet<(Vec<Step>, String)>,
}

/// A step from a value to the values below it.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Step {
    Field(String),
    Items,
    Entries,
}

pub(super) fn parsed(rule: &str) -> Option<Ast> {
    parse(rule, KubeVersion::LATEST).ok()
}

impl OtherRules {
    /// Reads the rules of two versions of a schema, except one rule of the schema itself.
    pub(super) fn new(versions: &[&Value], except: &str) -> Self {
        let mut rules = Self::default();
        rules.known.insert((Vec::new(), except.to_owned()));
        for schema in versions {
            rules.add(schema, &[]);
        }
        rules
    }

    fn add(&mut self, schema: &Value, steps: &[Step]) {
        // Rules that cannot be parsed count, too.
        if self.known.len() > RULES {
            return;
        }
        let rules = schema.get("x-kubernetes-validations");
        let rules = rules.and_then(Value::as_array).into_iter().flatten();
        let rules = rules.filter_map(|rule| rule.get("rule")?.as_str());
        for rule in rules {
            let is_new = self.known.insert((steps.to_vec(), rule.to_owned()));
            if is_new && self.known.len() <= RULES + 1 {
                self.rules
                    .extend(parsed(rule).map(|rule| (steps.to_vec(), rule)));
            }
        }
        let Some(fields) = schema.as_object().filter(|_| steps.len() < LEVELS) else {
            return;
        };
        for (step, child) in SchemaStep::subschemas(fields) {
            let step = match step {
                SchemaStep::Property(name) => Step::Field(name.to_owned()),
                SchemaStep::Items => Step::Items,
                SchemaStep::AdditionalProperties => Step::Entries,
            };
            self.add(child, &[steps, &[step]].concat());
        }
    }

    /// Returns the patterns that the rules demand of strings.
    pub(super) fn patterns(&self) -> Vec<String> {
        let terms = self.rules.iter().flat_map(|(_, rule)| rule.descendants());
        let mut patterns: Vec<String> = Vec::new();
        for term in terms {
            let AstKind::Call { function, args, .. } = &term.kind else {
                continue;
            };
            let pattern = args.last().map(|pattern| &pattern.kind);
            if let ("matches", Some(AstKind::Literal(Literal::String(pattern)))) =
                (function.as_str(), pattern)
                && !patterns.contains(pattern)
            {
                patterns.push(pattern.clone());
            }
        }
        patterns
    }

    /// Returns states after the rules became true one after the other, those of inner values first.
    pub(super) fn made_true(&self, solver: &Solver, state: &Value) -> Vec<Value> {
        let mut states = vec![state.clone()];
        for (steps, rule) in self.rules.iter().rev() {
            for place in places(state, steps) {
                let scope = [(SELF, Binding::Place(place))];
                let repaired = states.iter();
                let repaired = repaired.map(|state| {
                    let mut states = solver.condition(rule, true, &scope, state);
                    // If the rule probably is true already, nothing is changed.
                    states.sort_by_key(|repaired| repaired != state);
                    states
                });
                let mut repaired = interleaved(repaired.collect());
                repaired.truncate(ALTERNATIVES);
                if !repaired.is_empty() {
                    states = repaired;
                }
            }
        }
        states
    }
}

/// Returns the places of the values that steps lead to.
fn places(state: &Value, steps: &[Step]) -> Vec<FieldPath> {
    let mut places = vec![FieldPath::root().field(SELF)];
    for step in steps {
        let next = places.iter().flat_map(|place| {
            let value = place.find(state);
            let children: Vec<PathStep<'_>> = match (step, value) {
                (Step::Field(name), Some(Value::Object(fields))) => {
                    let is_present = fields.contains_key(name);
                    is_present
                        .then_some(PathStep::Field(name))
                        .into_iter()
                        .collect()
                }
                (Step::Items, Some(Value::Array(items))) => {
                    (0..items.len()).map(PathStep::Index).collect()
                }
                (Step::Entries, Some(Value::Object(fields))) => {
                    fields.keys().map(|key| PathStep::Key(key)).collect()
                }
                _ => Vec::new(),
            };
            let children = children.into_iter().take(PLACES);
            children
                .map(|step| place.clone().step(step))
                .collect::<Vec<_>>()
        });
        places = next.take(PLACES).collect();
    }
    places
}
