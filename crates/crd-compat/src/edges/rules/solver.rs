//! The state of a search for values that tell a rule apart.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;

use k8s_cel::syntax::Ast;
use serde_json::{Value, json};
use union_runtime::path::FieldPath;

use crate::bounds::OBJECT_BYTES;
use crate::edges::placement::with_value_at;
use crate::sample::json_size::json_size;
use crate::sample::schema::schema_at;

/// The number of conditions and terms that are solved for each value that may be tried.
const STEPS_PER_VALUE: usize = 10;

/// The number of terms that are read for each condition or term that is solved. Terms of variables
/// that stand for terms would otherwise be read an exponential number of times.
const READS_PER_STEP: usize = 16;

/// The maximum number of variables that stand for terms with such variables in turn.
const TERM_LEVELS: usize = 6;

/// The maximum number of states that a condition has.
pub(super) const STATES: usize = 16;

/// The maximum number of states of a condition in which another condition is solved.
pub(super) const COMBINED_STATES: usize = 6;

/// The variable whose value is searched.
pub(super) const SELF: &str = "self";

/// The meaning of a variable.
#[derive(Clone, Debug)]
pub(super) enum Binding<'r> {
    /// A value of the state.
    Place(FieldPath),
    /// An expression, with the number of variables that it may use.
    Term(&'r Ast, usize),
    Constant(Value),
}

/// The variables of an expression, the innermost last.
pub(super) type Scope<'r> = [(&'r str, Binding<'r>)];

/// The variables of an expression that own their list.
pub(super) type Variables<'r> = Vec<(&'r str, Binding<'r>)>;

/// A search for the values of `self` that give a rule a result. A state is an object: its field
/// `self` is the value, and its other fields are keys of maps that a comprehension reads.
pub(super) struct Solver {
    /// The schema of a state.
    schema: Value,
    left_steps: Cell<usize>,
    left_reads: Cell<usize>,
    /// The number of variables that are followed to their terms at this time.
    term_levels: Cell<usize>,
    /// The patterns of the other rules, which strings of a pattern are compared with.
    pub(super) other_patterns: Vec<String>,
    /// The tests of the patterns of strings, which are compiled once.
    pub(super) patterns: RefCell<HashMap<String, Option<PatternTest>>>,
}

/// A test of a pattern.
pub(super) type PatternTest = Box<dyn Fn(&str) -> bool>;

impl Solver {
    /// Creates a search for at most `limit` values of a schema.
    pub(super) fn new(schema: &Value, limit: usize) -> Self {
        let steps = limit.saturating_mul(STEPS_PER_VALUE);
        Self {
            schema: json!({
                "type": "object",
                "properties": {SELF: schema},
                "additionalProperties": {"type": "string"},
            }),
            left_steps: Cell::new(steps),
            left_reads: Cell::new(steps.saturating_mul(READS_PER_STEP)),
            term_levels: Cell::new(0),
            other_patterns: Vec::new(),
            patterns: RefCell::default(),
        }
    }

    /// Sets the patterns of the other rules.
    pub(super) fn with_other_patterns(self, other_patterns: Vec<String>) -> Self {
        Self {
            other_patterns,
            ..self
        }
    }

    /// Counts a step. Returns false if the search has no step left.
    pub(super) fn takes_step(&self) -> bool {
        takes_one(&self.left_steps)
    }

    /// Counts the reading of a term. Returns false if no more terms are read.
    pub(super) fn takes_read(&self) -> bool {
        takes_one(&self.left_reads)
    }

    /// Returns the result for the term of a variable; nothing if too many variables are followed.
    /// The levels of a syntax tree are limited, but a variable leads to another part of the tree.
    pub(super) fn follow_term<T: Default>(&self, result: impl FnOnce() -> T) -> T {
        let levels = self.term_levels.get();
        if levels >= TERM_LEVELS {
            return T::default();
        }
        self.term_levels.set(levels + 1);
        let result = result();
        self.term_levels.set(levels);
        result
    }

    /// Returns the schema of the value at a place.
    pub(super) fn schema_at(&self, place: &FieldPath) -> Option<&Value> {
        place.steps().try_fold(&self.schema, schema_at)
    }

    /// Returns the state with a value at a place, or without the value; nothing if the place cannot
    /// have a value, or if the state is larger than [`OBJECT_BYTES`].
    pub(super) fn with(
        &self,
        state: &Value,
        place: &FieldPath,
        value: Option<&Value>,
    ) -> Vec<Value> {
        if value.is_none() && place.find(state).is_none() {
            return vec![state.clone()];
        }
        let changed = with_value_at(state, &self.schema, place, value);
        let is_small = |state: &Value| json_size(state, OBJECT_BYTES).is_some();
        changed.filter(is_small).into_iter().collect()
    }
}

fn takes_one(left: &Cell<usize>) -> bool {
    let count = left.get();
    left.set(count.saturating_sub(1));
    count > 0
}

/// Returns a scope with another variable.
pub(super) fn with_variable<'r>(
    scope: &Scope<'r>,
    name: &'r str,
    binding: Binding<'r>,
) -> Variables<'r> {
    let mut scope = scope.to_vec();
    scope.push((name, binding));
    scope
}

/// Returns the elements of several lists: the first of each list, then the second of each, and so
/// on.
pub(super) fn interleaved<T>(lists: Vec<Vec<T>>) -> Vec<T> {
    let mut lists: Vec<_> = lists.into_iter().map(Vec::into_iter).collect();
    let mut elements = Vec::new();
    loop {
        let count = elements.len();
        for list in &mut lists {
            elements.extend(list.next());
        }
        if elements.len() == count || elements.len() >= STATES {
            return elements;
        }
    }
}
