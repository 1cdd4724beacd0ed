//! Changes a state until a macro over a list or a map has a result.

use k8s_cel::syntax::{Ast, AstKind, Comprehension};
use serde_json::Value;

use super::elements::ELEMENTS;
use super::macros::{Body, Macro};
use super::solver::{
    Binding, COMBINED_STATES, Scope, Solver, Variables, interleaved, with_variable,
};

impl Solver {
    /// Returns states in which a macro has the wanted result.
    pub(super) fn quantified<'r>(
        &self,
        comprehension: &'r Comprehension,
        wanted: bool,
        scope: &Scope<'r>,
        state: &Value,
    ) -> Vec<Value> {
        if let Some(scope) = bound_scope(comprehension, scope) {
            return self.condition(&comprehension.result, wanted, &scope, state);
        }
        let Some(quantifier) = Macro::read(comprehension) else {
            return Vec::new();
        };
        match (&quantifier.body, wanted) {
            (Body::All(condition), true) | (Body::Exists(condition), false) => {
                self.for_every(&quantifier, (condition, wanted), scope, state)
            }
            (Body::All(condition), false) | (Body::Exists(condition), true) => {
                self.for_one(&quantifier, (condition, wanted), scope, state)
            }
            (Body::ExistsOne(condition), _) => {
                self.exactly_one(&quantifier, condition, wanted, scope, state)
            }
            _ => Vec::new(),
        }
    }

    /// Returns states in which a condition has a result for one element: the first one, and another
    /// one.
    fn for_one<'r>(
        &self,
        quantifier: &Macro<'r>,
        (condition, wanted): (&'r Ast, bool),
        scope: &Scope<'r>,
        state: &Value,
    ) -> Vec<Value> {
        let mut lists = Vec::new();
        for index in 0..self.element_count(quantifier.range, scope, ELEMENTS) {
            for element in self.element(quantifier, index, scope, state) {
                lists.push(self.condition(condition, wanted, &element.scope, &element.state));
            }
        }
        interleaved(lists)
    }

    /// Returns states in which a condition has a result for every element.
    fn for_every<'r>(
        &self,
        quantifier: &Macro<'r>,
        (condition, wanted): (&'r Ast, bool),
        scope: &Scope<'r>,
        state: &Value,
    ) -> Vec<Value> {
        let count = self.present_count(quantifier.range, scope, state);
        let elements = self.some_elements(quantifier, count, scope, state);
        let Some((elements, state)) = elements else {
            return Vec::new();
        };
        let mut states = vec![state.clone()];
        for scope in elements {
            let next = states.iter().take(COMBINED_STATES);
            let next = next.map(|state| self.condition(condition, wanted, &scope, state));
            states = interleaved(next.collect());
        }
        let list = self.place(quantifier.range, scope, &state);
        let without_list = list.map(|place| self.with(&state, &place, None));
        interleaved(vec![states, without_list.unwrap_or_default()])
    }
}

/// Returns the scope of the result of `optMap`; `None` for another comprehension.
fn bound_scope<'r>(comprehension: &'r Comprehension, scope: &Scope<'r>) -> Option<Variables<'r>> {
    let has_elements = match &comprehension.iter_range.kind {
        AstKind::List(elements) => !elements.is_empty(),
        _ => true,
    };
    if has_elements {
        return None;
    }
    let value = Binding::Term(&comprehension.accu_init, scope.len());
    Some(with_variable(scope, &comprehension.accu_var, value))
}
