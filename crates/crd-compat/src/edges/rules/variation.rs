//! Changes a state in many ways, for conditions that are not understood.

use k8s_cel::syntax::{Ast, AstKind};
use serde_json::{Value, json};
use union_runtime::path::FieldPath;

use super::function_strings::examples;
use super::solver::{Scope, Solver, interleaved};
use super::terms::literal;

/// The maximum number of places that are changed.
const PLACES: usize = 4;

/// The maximum number of values of one place.
const VALUES: usize = 20;

/// The maximum number of parts of an expression that are searched for literals and functions.
const MENTIONING: usize = 1_000;

/// The number of mentioned values after which no more are added.
const MENTIONED: usize = 40;

impl Solver {
    /// Returns states in which a place that an expression reads has another value: a value that the
    /// expression mentions, a value for its functions, or a value of its schema.
    pub(super) fn varied(&self, ast: &Ast, scope: &Scope<'_>, state: &Value) -> Vec<Value> {
        let mentioned = mentioned(ast);
        let mut places = Vec::new();
        self.add_places(ast, scope, state, &mut places);
        let lists = places.iter().take(PLACES).map(|place| {
            let Some(schema) = self.schema_at(place) else {
                return Vec::new();
            };
            let values = self.values_of(schema, &mentioned).into_iter().take(VALUES);
            let states = values.flat_map(|value| self.with(state, place, Some(&value)));
            states.collect()
        });
        interleaved(lists.collect())
    }

    /// Adds the places that an expression reads.
    fn add_places(&self, ast: &Ast, scope: &Scope<'_>, state: &Value, places: &mut Vec<FieldPath>) {
        if !self.takes_step() {
            return;
        }
        match self.place(ast, scope, state) {
            Some(place) if places.contains(&place) => {}
            Some(place) => places.push(place),
            None => {
                for child in ast.kind.children() {
                    self.add_places(child, scope, state, places);
                }
            }
        }
    }
}

/// Returns the literals of an expression, and strings for its functions.
pub(super) fn mentioned(ast: &Ast) -> Vec<Value> {
    let mut values = Vec::new();
    for ast in ast.descendants().take(MENTIONING) {
        match &ast.kind {
            AstKind::Literal(value) => values.extend(literal(value)),
            AstKind::Call { function, .. } => {
                values.extend(examples(function).iter().map(|string| json!(string)));
            }
            _ => {}
        }
        if values.len() >= MENTIONED {
            break;
        }
    }
    values
}
