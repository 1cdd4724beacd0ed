//! Sums and counts of conditions, such as `(has(self.a) ? 1 : 0) + (has(self.b) ? 1 : 0) <= 1`.

use k8s_cel::syntax::{Ast, AstKind};
use serde_json::{Value, json};

use super::elements::{ELEMENTS, PRESENT_ELEMENTS};
use super::macros::Macro;
use super::order::Comparison;
use super::solver::{STATES, Scope, Solver, Variables, interleaved};
use super::terms::measured;

/// The maximum number of conditions that are combined.
const CONDITIONS: usize = 16;

/// A condition with the numbers that its two results add to a sum.
struct Choice<'r> {
    condition: &'r Ast,
    scope: Variables<'r>,
    if_true: i64,
    if_false: i64,
}

/// A sum of choices, and the state that has what the choices read.
struct Sum<'r> {
    constant: i64,
    choices: Vec<Choice<'r>>,
    state: Value,
}

impl Solver {
    /// Returns states in which the comparison of a sum of conditions with a number is true; no
    /// states if the term is not such a sum.
    pub(super) fn counted<'r>(
        &self,
        comparison: Comparison,
        term: &'r Ast,
        bound: &Value,
        scope: &Scope<'r>,
        state: &Value,
    ) -> Vec<Value> {
        // The elements of the state that are counted may be more than the bound.
        let most = bound.as_u64().and_then(|bound| usize::try_from(bound).ok());
        let most = most.unwrap_or(0).saturating_add(1);
        let counted = most.clamp(ELEMENTS, PRESENT_ELEMENTS);
        let sum = self.sum_of(term, counted, scope, state);
        let Some(sum) = sum.filter(|sum| !sum.choices.is_empty()) else {
            return Vec::new();
        };
        self.chosen(comparison, &sum, bound)
    }

    /// Returns states in which exactly one element of a range satisfies a condition, or not.
    pub(super) fn exactly_one<'r>(
        &self,
        quantifier: &Macro<'r>,
        condition: &'r Ast,
        wanted: bool,
        scope: &Scope<'r>,
        state: &Value,
    ) -> Vec<Value> {
        let Some(sum) = self.count(quantifier, condition, ELEMENTS, scope, state) else {
            return Vec::new();
        };
        let comparison = if wanted {
            Comparison::Equal
        } else {
            Comparison::NotEqual
        };
        self.chosen(comparison, &sum, &json!(1))
    }

    /// Returns states for the results of the choices whose sum is as wanted.
    fn chosen(&self, comparison: Comparison, sum: &Sum<'_>, bound: &Value) -> Vec<Value> {
        let mut lists = Vec::new();
        // Conditions after the first `CONDITIONS` are neither solved nor added to the sum.
        for results in subsets(sum.choices.len().min(CONDITIONS)) {
            let choices = || sum.choices.iter().zip(results.iter().copied());
            let numbers = choices().map(|(choice, is_true)| {
                if is_true {
                    choice.if_true
                } else {
                    choice.if_false
                }
            });
            let total = numbers.fold(sum.constant, i64::saturating_add);
            if comparison.holds(&json!(total), bound) != Some(true) {
                continue;
            }
            let mut states = vec![sum.state.clone()];
            // The conditions that are false come first, so that they do not undo the others.
            for wanted in [false, true] {
                for (choice, _) in choices().filter(|(_, is_true)| *is_true == wanted) {
                    let next = states.iter().take(2).map(|state| {
                        self.condition(choice.condition, wanted, &choice.scope, state)
                    });
                    states = interleaved(next.collect());
                }
            }
            lists.push(states);
            if lists.len() >= STATES {
                break;
            }
        }
        interleaved(lists)
    }

    /// Reads a term as a sum of choices. `counted` is the number of elements of the state that are
    /// counted.
    fn sum_of<'r>(
        &self,
        term: &'r Ast,
        counted: usize,
        scope: &Scope<'r>,
        state: &Value,
    ) -> Option<Sum<'r>> {
        if !self.takes_step() {
            return None;
        }
        let number = |ast: &Ast| self.constant(ast, scope)?.as_i64();
        if let Some(constant) = number(term) {
            return Some(Sum {
                constant,
                choices: Vec::new(),
                state: state.clone(),
            });
        }
        if let Some(list) = measured(term) {
            let quantifier = macro_of(list)?;
            return self.count(&quantifier, quantifier.filtered()?, counted, scope, state);
        }
        let AstKind::Call {
            function,
            target,
            args,
        } = &term.kind
        else {
            return None;
        };
        match (function.as_str(), target, args.as_slice()) {
            ("_+_", None, [left, right]) => {
                let mut sum = self.sum_of(left, counted, scope, state)?;
                let other = self.sum_of(right, counted, scope, &sum.state)?;
                sum.constant = sum.constant.checked_add(other.constant)?;
                sum.choices.extend(other.choices);
                sum.state = other.state;
                Some(sum)
            }
            ("_?_:_", None, [condition, first, second]) => Some(Sum {
                constant: 0,
                choices: vec![Choice {
                    condition,
                    scope: scope.to_vec(),
                    if_true: number(first)?,
                    if_false: number(second)?,
                }],
                state: state.clone(),
            }),
            ("sum", Some(list), []) => {
                let quantifier = macro_of(list).filter(|it| it.filtered().is_none())?;
                self.sum_of_elements(&quantifier, quantifier.mapped()?, scope, state)
            }
            _ => None,
        }
    }

    /// Returns the number of the elements that satisfy a condition, as a sum.
    fn count<'r>(
        &self,
        quantifier: &Macro<'r>,
        condition: &'r Ast,
        counted: usize,
        scope: &Scope<'r>,
        state: &Value,
    ) -> Option<Sum<'r>> {
        let count = self.element_count(quantifier.range, scope, counted);
        let (elements, state) = self.some_elements(quantifier, count, scope, state)?;
        let choices = elements.into_iter().map(|scope| Choice {
            condition,
            scope,
            if_true: 1,
            if_false: 0,
        });
        Some(Sum {
            constant: 0,
            choices: choices.collect(),
            state,
        })
    }

    /// Returns the sum of the values of a map over a range.
    fn sum_of_elements<'r>(
        &self,
        quantifier: &Macro<'r>,
        value: &'r Ast,
        scope: &Scope<'r>,
        state: &Value,
    ) -> Option<Sum<'r>> {
        let count = self.element_count(quantifier.range, scope, ELEMENTS);
        let (elements, state) = self.some_elements(quantifier, count, scope, state)?;
        let mut sum = Sum {
            constant: 0,
            choices: Vec::new(),
            state,
        };
        for scope in elements {
            let element = self.sum_of(value, ELEMENTS, &scope, &sum.state)?;
            sum.constant = sum.constant.checked_add(element.constant)?;
            sum.choices.extend(element.choices);
        }
        Some(sum)
    }
}

fn macro_of(ast: &Ast) -> Option<Macro<'_>> {
    match &ast.kind {
        AstKind::Comprehension(comprehension) => Macro::read(comprehension),
        _ => None,
    }
}

/// Returns results of a number of conditions: each pair true, all true, each one true, none true,
/// and each triple true.
fn subsets(count: usize) -> Vec<Vec<bool>> {
    let of = |chosen: &[usize]| (0..count).map(|it| chosen.contains(&it)).collect();
    let mut subsets: Vec<Vec<bool>> = Vec::new();
    for first in 0..count {
        subsets.extend((first + 1..count).map(|second| of(&[first, second])));
    }
    subsets.push(vec![true; count]);
    subsets.extend((0..count).map(|only| of(&[only])));
    subsets.push(vec![false; count]);
    for first in 0..count {
        for second in first + 1..count {
            subsets.extend((second + 1..count).map(|third| of(&[first, second, third])));
        }
    }
    let mut seen = std::collections::HashSet::new();
    subsets.retain(|subset| seen.insert(subset.clone()));
    subsets
}
