//! Changes a state until a macro over a list or a map has a result.

use k8s_cel::syntax::{Ast, AstKind, Comprehension, Literal};
use serde_json::Value;

use super::solver::{Binding, COMBINED_STATES, Scope, Solver, interleaved, with_variable};

/// The part of a macro that is evaluated for each element.
enum Body<'r> {
    All(&'r Ast),
    Exists(&'r Ast),
    ExistsOne(&'r Ast),
    Filter(&'r Ast),
    Map(&'r Ast),
}

/// A macro over a list or a map.
pub(super) struct Macro<'r> {
    pub(super) variables: (&'r str, Option<&'r str>),
    pub(super) range: &'r Ast,
    body: Body<'r>,
}

impl<'r> Macro<'r> {
    /// Returns the macro whose expansion a comprehension is.
    pub(super) fn read(comprehension: &'r Comprehension) -> Option<Self> {
        let AstKind::Call { function, args, .. } = &comprehension.loop_step.kind else {
            return None;
        };
        let body = match (function.as_str(), args.as_slice()) {
            ("_&&_", [_, condition]) => Body::All(condition),
            ("_||_", [_, condition]) => Body::Exists(condition),
            ("_?_:_", [condition, added, _]) => match added_term(added)? {
                Added::One => Body::ExistsOne(condition),
                Added::Element(_) => Body::Filter(condition),
            },
            ("_+_", _) => match added_term(&comprehension.loop_step)? {
                Added::Element(element) => Body::Map(element),
                Added::One => return None,
            },
            _ => return None,
        };
        Some(Self {
            variables: (
                &comprehension.iter_var,
                comprehension.iter_var2.as_deref(),
            ),
            range: &comprehension.iter_range,
            body,
        })
    }

    /// Returns the condition of a filter.
    pub(super) const fn filtered(&self) -> Option<&'r Ast> {
        match self.body {
            Body::Filter(condition) => Some(condition),
            _ => None,
        }
    }

    /// Returns the value that a map has for each element.
    pub(super) const fn mapped(&self) -> Option<&'r Ast> {
        match self.body {
            Body::Map(value) => Some(value),
            _ => None,
        }
    }
}

/// The operand that a step of a macro adds to its result.
enum Added<'r> {
    /// The number 1.
    One,
    /// A list with an element.
    Element(&'r Ast),
}

fn added_term(sum: &Ast) -> Option<Added<'_>> {
    let AstKind::Call { function, args, .. } = &sum.kind else {
        return None;
    };
    match (function.as_str(), args.as_slice()) {
        ("_+_", [_, added]) => match &added.kind {
            AstKind::Literal(Literal::Int(_)) => Some(Added::One),
            AstKind::List(elements) => Some(Added::Element(&elements.first()?.value)),
            _ => None,
        },
        _ => None,
    }
}

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
        for index in 0..self.element_count(quantifier.range, scope, state) {
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
        let Some((elements, state)) = self.some_elements(quantifier, scope, state) else {
            return Vec::new();
        };
        let mut states = vec![state.clone()];
        for scope in elements {
            let next = states.iter().take(COMBINED_STATES);
            let next = next.map(|state| self.condition(condition, wanted, &scope, state));
            states = interleaved(next.collect());
        }
        let is_empty = self.place(quantifier.range, scope, &state);
        let empty = is_empty.map(|place| self.with(&state, &place, None));
        interleaved(vec![states, empty.unwrap_or_default()])
    }
}

/// Returns the scope of the result of `cel.bind` and `optMap`; `None` for another comprehension.
fn bound_scope<'r>(
    comprehension: &'r Comprehension,
    scope: &Scope<'r>,
) -> Option<Vec<(&'r str, Binding<'r>)>> {
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
