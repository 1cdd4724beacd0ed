//! Comprehensions.

use std::rc::Rc;

use super::{Interpreter, SlotValue, catch_expression_error};
use crate::functions::access;
use crate::interpreter::program::{ComprehensionPlan, PlanNode, Quantifier};
use crate::values::equal;
use crate::values::value::{EvalError, Val};

/// The result of a predicate for the elements of a list.
enum LoopOutcome {
    Done(bool),
    /// An error, which the variable of the result contains. The elements from this position on are
    /// not evaluated yet.
    Failed {
        at: usize,
    },
}

impl<'v> Interpreter<'v> {
    #[inline(never)]
    pub(super) fn comprehension(
        &mut self,
        fold: &'v ComprehensionPlan,
    ) -> Result<Val<'v>, EvalError> {
        if fold.is_bind {
            // Code that reads variables in place does not find a value there.
            *self.slot(fold.accu_var) = Ok(Val::Null);
            self.lazy_variables.push((fold.accu_var, &fold.accu_init));
            let result = self.eval(&fold.result);
            self.lazy_variables
                .retain(|(slot, _)| *slot != fold.accu_var);
            return result;
        }
        let range = self.eval(&fold.iter_range)?;
        let is_list = matches!(
            range,
            Val::List(_) | Val::JsonList(..) | Val::AppendedList(_)
        );
        let mut at = 0;
        if let Some(goal) = fold.quantifier.filter(|_| is_list) {
            match self.quantify(fold, goal, &range)? {
                LoopOutcome::Done(is_met) => return Ok(Val::Bool(is_met)),
                LoopOutcome::Failed { at: next } => at = next,
            }
        } else {
            *self.slot(fold.accu_var) = self.eval(&fold.accu_init);
        }
        match &range {
            _ if is_list => {
                while let Some(value) = equal::element(self.tracker.declared, &range, at) {
                    let index = Val::Int(i64::try_from(at).unwrap_or(i64::MAX));
                    let (first, second) = match fold.iter_var2 {
                        Some(_) => (Ok(index), value),
                        None => (value, Ok(Val::Null)),
                    };
                    if !self.loop_step(fold, first, second)? {
                        break;
                    }
                    at += 1;
                }
            }
            Val::Map(_) | Val::JsonObject(..) => {
                let keys = equal::keys(self.tracker.declared, &range);
                for (at, key) in keys.into_iter().enumerate() {
                    let value = match fold.iter_var2 {
                        // A property that is null has a key, but not a value.
                        Some(_) => equal::entry_at(self.tracker.declared, &range, at, &key)
                            .unwrap_or_else(|| Err(access::no_such_key(&key))),
                        None => Ok(Val::Null),
                    };
                    if !self.loop_step(fold, Ok(key), value)? {
                        break;
                    }
                }
            }
            other => {
                let ty = other.go_type();
                let text = match fold.iter_var2 {
                    Some(_) => format!("unsupported comprehension range type: {ty}"),
                    None => format!("got '{ty}', expected iterable type"),
                };
                return Err(EvalError::new(text));
            }
        }
        self.eval(&fold.result)
    }

    /// Evaluates the predicate for the elements of a list, up to the first error. The result is a
    /// value only at the end, but each round costs as much as its condition and its step.
    fn quantify(
        &mut self,
        fold: &'v ComprehensionPlan,
        goal: Quantifier,
        range: &Val<'v>,
    ) -> Result<LoopOutcome, EvalError> {
        let predicate = match &fold.loop_step {
            PlanNode::And(both) | PlanNode::Or(both) => {
                let [_, predicate] = &**both;
                predicate
            }
            PlanNode::Conditional(choice) => &choice.condition,
            step => step,
        };
        // The number of elements that match; for `all`, the number of elements that do not match.
        let mut count = 0_i64;
        let mut at = 0;
        let elements = equal::ListElements::new(self.tracker.declared, range);
        while let Some(value) = elements.get(at) {
            // The condition reads the result, which `exists` negates. The step reads the result
            // too, if another round follows.
            let steps = match goal {
                Quantifier::All => 2,
                Quantifier::Exists => 3,
                Quantifier::ExistsOne => 0,
            };
            if count > 0 && steps > 0 {
                self.tracker.charge_steps(steps)?;
                break;
            }
            if steps > 0 {
                self.tracker.charge_hidden(1)?;
                self.tracker.charge_steps(steps + 1)?;
            }
            *self.slot(fold.iter_var) = value;
            at += 1;
            match self.eval_bool(predicate) {
                Ok(is_met) => {
                    if goal == Quantifier::ExistsOne && is_met {
                        self.tracker.charge_steps(2)?;
                    }
                    count += i64::from(is_met != (goal == Quantifier::All));
                }
                Err(fault @ EvalError::Expression(_)) => {
                    *self.slot(fold.accu_var) = Err(fault);
                    return Ok(LoopOutcome::Failed { at });
                }
                Err(stop) => return Err(stop),
            }
        }
        // The result is read, and a number is compared.
        self.tracker
            .charge_steps(if goal == Quantifier::ExistsOne { 2 } else { 1 })?;
        Ok(LoopOutcome::Done(match goal {
            Quantifier::All => count == 0,
            Quantifier::Exists => count > 0,
            Quantifier::ExistsOne => count == 1,
        }))
    }

    /// Evaluates the expression that a variable is a name for, if the variable has not been read
    /// before.
    pub(super) fn eval_lazy_variable(&mut self, slot: u16) -> Result<(), EvalError> {
        if let Some(at) = self
            .lazy_variables
            .iter()
            .position(|(unread, _)| *unread == slot)
        {
            let (_, init) = self.lazy_variables.swap_remove(at);
            *self.slot(slot) = catch_expression_error(self.eval(init))?.map(Val::into_variable);
        }
        Ok(())
    }

    /// Runs a round of a comprehension. Returns true if another round follows.
    fn loop_step(
        &mut self,
        fold: &'v ComprehensionPlan,
        first: SlotValue<'v>,
        second: SlotValue<'v>,
    ) -> Result<bool, EvalError> {
        *self.slot(fold.iter_var) = first;
        if let Some(slot) = fold.iter_var2 {
            *self.slot(slot) = second;
        }
        if let Some(condition) = &fold.loop_condition
            && let Ok(false) = catch_expression_error(self.eval_bool(condition))?
        {
            return Ok(false);
        }
        let value = catch_expression_error(match self.append_step(fold) {
            Some(value) => value,
            None => self.eval(&fold.loop_step),
        })?;
        *self.slot(fold.accu_var) = value.map(Val::into_loop_result);
        Ok(true)
    }

    /// Evaluates an element to append. The list before the element is paid for first, then the list
    /// around the element and the sum, even if the element fails.
    fn appended_element(&mut self, element: &'v PlanNode) -> Result<Val<'v>, EvalError> {
        self.tracker.charge(1)?;
        let element = catch_expression_error(self.eval(element))?;
        self.tracker.charge(11)?;
        element
    }

    /// Runs a step that is `accu + [element]`, or `filter ? accu + [element] : accu`: the list
    /// grows in place. Returns `None` for other steps.
    fn append_step(&mut self, fold: &'v ComprehensionPlan) -> Option<Result<Val<'v>, EvalError>> {
        if !fold.appends {
            return None;
        }
        let accu = fold.accu_var;
        let (filter, sum) = match &fold.loop_step {
            PlanNode::Conditional(choice) => (Some(&choice.condition), &choice.yes),
            sum => (None, sum),
        };
        let PlanNode::Call(call) = sum else {
            return None;
        };
        let [_, PlanNode::List(elements)] = &*call.args else {
            return None;
        };
        let [(element, false)] = &**elements else {
            return None;
        };
        if self.slot(accu).is_err() {
            return None;
        }
        if let Some(filter) = filter {
            match self.eval_bool(filter) {
                Ok(true) => {}
                Ok(false) => {
                    // Keeping the list is a free look-up.
                    return Some(core::mem::replace(self.slot(accu), Ok(Val::Null)));
                }
                Err(fault) => return Some(Err(fault)),
            }
        }
        let element = match self.appended_element(element) {
            Ok(element) => element,
            Err(fault) => return Some(Err(fault)),
        };
        let list = core::mem::replace(self.slot(accu), Ok(Val::Null));
        Some(match list {
            Ok(Val::List(mut values)) => {
                Rc::make_mut(&mut values).push(element);
                Ok(Val::List(values))
            }
            other => other,
        })
    }
}
