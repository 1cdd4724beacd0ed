//! Evaluates comprehensions.

use std::rc::Rc;

use super::{Interpreter, SlotValue, catch_expression_error};
use crate::functions::access;
use crate::interpreter::program::{ComprehensionPlan, PlanNode, Quantifier};
use crate::types::feature::Feature;
use crate::values::equal;
use crate::values::value::{EvalError, Val};

/// The outcome of a quantifier over the elements of a list.
enum LoopOutcome {
    Done(bool),
    /// An error, which is now the value of the accumulator. The loop continues at `next_index`.
    Failed {
        next_index: usize,
    },
}

/// Returns the error for a range that is not a list or map.
fn range_error(plan: &ComprehensionPlan, range: &Val<'_>) -> EvalError {
    let ty = range.go_type();
    EvalError::new(match plan.iter_var2 {
        Some(_) => format!("unsupported comprehension range type: {ty}"),
        None => format!("got '{ty}', expected iterable type"),
    })
}

impl<'v> Interpreter<'v> {
    /// Evaluates a comprehension.
    #[inline(never)]
    pub(super) fn eval_comprehension(
        &mut self,
        plan: &'v ComprehensionPlan,
    ) -> Result<Val<'v>, EvalError> {
        if plan.is_bind && self.tracker.declared_types.has(Feature::LazyVariables) {
            // A borrowed test reads slots directly, and must not read an older value.
            *self.slot(plan.accu_var) = Ok(Val::Null);
            self.lazy_variables.push((plan.accu_var, &plan.accu_init));
            let result = self.eval(&plan.result);
            self.lazy_variables
                .retain(|(slot, _)| *slot != plan.accu_var);
            return result;
        }
        let range = self.eval(&plan.iter_range)?;
        let is_list = matches!(
            range,
            Val::List(_) | Val::JsonList(..) | Val::AppendedList(_)
        );
        let mut index = 0;
        if let Some(quantifier) = plan.quantifier.filter(|_| is_list) {
            match self.eval_quantifier(plan, quantifier, &range)? {
                LoopOutcome::Done(is_true) => return Ok(Val::Bool(is_true)),
                LoopOutcome::Failed { next_index } => index = next_index,
            }
        } else {
            *self.slot(plan.accu_var) = self.eval(&plan.accu_init);
        }
        match &range {
            _ if is_list => {
                while let Some(value) = equal::element(self.tracker.declared_types, &range, index) {
                    let key = Val::Int(i64::try_from(index).unwrap_or(i64::MAX));
                    let (first, second) = match plan.iter_var2 {
                        Some(_) => (Ok(key), value),
                        None => (value, Ok(Val::Null)),
                    };
                    if !self.run_iteration(plan, first, second)? {
                        break;
                    }
                    index += 1;
                }
            }
            Val::Map(_) | Val::JsonObject(..) => {
                let keys = equal::keys(self.tracker.declared_types, &range);
                for (index, key) in keys.into_iter().enumerate() {
                    let value = match plan.iter_var2 {
                        // A null property may have a key without a value.
                        Some(_) => {
                            equal::entry_at(self.tracker.declared_types, &range, index, &key)
                                .unwrap_or_else(|| Err(access::no_such_key(&key)))
                        }
                        None => Ok(Val::Null),
                    };
                    if !self.run_iteration(plan, Ok(key), value)? {
                        break;
                    }
                }
            }
            other => return Err(range_error(plan, other)),
        }
        self.eval(&plan.result)
    }

    /// Evaluates a quantifier over the elements of a list, up to the first error. An iteration does
    /// not write the accumulator, but costs as much as its condition and its step.
    fn eval_quantifier(
        &mut self,
        plan: &'v ComprehensionPlan,
        quantifier: Quantifier,
        range: &Val<'v>,
    ) -> Result<LoopOutcome, EvalError> {
        let predicate = match &plan.loop_step {
            PlanNode::And(operands) | PlanNode::Or(operands) => {
                let [_, predicate] = &**operands;
                predicate
            }
            PlanNode::Conditional(conditional) => &conditional.condition,
            step => step,
        };
        // The number of elements that satisfy the predicate; for `all`, the number of elements that
        // do not.
        let mut count = 0_i64;
        let mut index = 0;
        let elements = equal::ListElements::new(self.tracker.declared_types, range);
        while let Some(value) = elements.get(index) {
            // The condition reads the accumulator, which `exists` also negates. If the loop
            // continues, the step reads the accumulator too.
            let steps = match quantifier {
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
            *self.slot(plan.iter_var) = value;
            index += 1;
            match self.eval_bool(predicate) {
                Ok(is_true) => {
                    if quantifier == Quantifier::ExistsOne && is_true {
                        self.tracker.charge_steps(2)?;
                    }
                    count += i64::from(is_true != (quantifier == Quantifier::All));
                }
                Err(error @ EvalError::Expression(_)) => {
                    *self.slot(plan.accu_var) = Err(error);
                    return Ok(LoopOutcome::Failed { next_index: index });
                }
                Err(fatal) => return Err(fatal),
            }
        }
        // The result expression reads the accumulator; `exists_one` also compares it with 1.
        self.tracker
            .charge_steps(if quantifier == Quantifier::ExistsOne {
                2
            } else {
                1
            })?;
        Ok(LoopOutcome::Done(match quantifier {
            Quantifier::All => count == 0,
            Quantifier::Exists => count > 0,
            Quantifier::ExistsOne => count == 1,
        }))
    }

    /// Evaluates the expression that defines a variable of `cel.bind`, if the variable has not been
    /// read before.
    pub(super) fn eval_lazy_variable(&mut self, slot: u16) -> Result<(), EvalError> {
        if let Some(index) = self
            .lazy_variables
            .iter()
            .position(|(lazy_slot, _)| *lazy_slot == slot)
        {
            let (_, init) = self.lazy_variables.swap_remove(index);
            *self.slot(slot) = catch_expression_error(self.eval(init))?.map(Val::into_variable);
        }
        Ok(())
    }

    /// Runs one iteration of a loop. Returns false if the condition ends the loop.
    fn run_iteration(
        &mut self,
        plan: &'v ComprehensionPlan,
        first: SlotValue<'v>,
        second: SlotValue<'v>,
    ) -> Result<bool, EvalError> {
        *self.slot(plan.iter_var) = first;
        if let Some(slot) = plan.iter_var2 {
            *self.slot(slot) = second;
        }
        if let Some(condition) = &plan.loop_condition
            && let Ok(false) = catch_expression_error(self.eval_bool(condition))?
        {
            return Ok(false);
        }
        let value = catch_expression_error(match self.run_append_step(plan) {
            Some(value) => value,
            None => self.eval(&plan.loop_step),
        })?;
        *self.slot(plan.accu_var) = value.map(Val::into_loop_result);
        Ok(true)
    }

    /// Evaluates the element to append. The read of the accumulator is charged first. The list
    /// around the element (10) and the addition (1) are charged last, even if the element fails.
    fn eval_appended_element(&mut self, element: &'v PlanNode) -> Result<Val<'v>, EvalError> {
        self.tracker.charge(1)?;
        let element = catch_expression_error(self.eval(element))?;
        self.tracker.charge(11)?;
        element
    }

    /// Runs a loop step of the form `accu + [element]`, or `filter ? accu + [element] : accu`, by
    /// extending the accumulator in place. Returns `None` for other steps.
    fn run_append_step(
        &mut self,
        plan: &'v ComprehensionPlan,
    ) -> Option<Result<Val<'v>, EvalError>> {
        if !plan.appends {
            return None;
        }
        let accu = plan.accu_var;
        let (filter, addition) = match &plan.loop_step {
            PlanNode::Conditional(conditional) => (Some(&conditional.condition), &conditional.yes),
            addition => (None, addition),
        };
        let PlanNode::Call(call) = addition else {
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
                    // The other branch is an attribute, whose start value is free.
                    return Some(core::mem::replace(self.slot(accu), Ok(Val::Null)));
                }
                Err(error) => return Some(Err(error)),
            }
        }
        let element = match self.eval_appended_element(element) {
            Ok(element) => element,
            Err(error) => return Some(Err(error)),
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
