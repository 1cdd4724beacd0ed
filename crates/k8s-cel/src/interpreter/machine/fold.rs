//! Comprehensions.

use std::rc::Rc;

use super::{Machine, Slot, stopping};
use crate::functions::access;
use crate::interpreter::program::{Code, Fold, Goal};
use crate::values::equal;
use crate::values::value::{Fault, Val};

/// The result of a predicate for the elements of a list.
enum Asked {
    Answer(bool),
    /// An error, which the variable of the result contains. The elements from this position on are
    /// not evaluated yet.
    Failed {
        at: usize,
    },
}

impl<'v> Machine<'v> {
    #[inline(never)]
    pub(super) fn fold(&mut self, fold: &'v Fold) -> Result<Val<'v>, Fault> {
        if fold.is_bind {
            // Code that reads variables in place does not find a value there.
            *self.slot(fold.accu) = Ok(Val::Null);
            self.unread.push((fold.accu, &fold.init));
            let result = self.eval(&fold.result);
            self.unread.retain(|(slot, _)| *slot != fold.accu);
            return result;
        }
        let range = self.eval(&fold.range)?;
        let is_list = matches!(range, Val::List(_) | Val::Items(..) | Val::Joined(_));
        let mut at = 0;
        if let Some(goal) = fold.goal.filter(|_| is_list) {
            match self.ask(fold, goal, &range)? {
                Asked::Answer(is_met) => return Ok(Val::Bool(is_met)),
                Asked::Failed { at: next } => at = next,
            }
        } else {
            *self.slot(fold.accu) = self.eval(&fold.init);
        }
        match &range {
            _ if is_list => {
                while let Some(value) = equal::element(self.meter.declared, &range, at) {
                    let index = Val::Int(i64::try_from(at).unwrap_or(i64::MAX));
                    let (first, second) = match fold.second {
                        Some(_) => (Ok(index), value),
                        None => (value, Ok(Val::Null)),
                    };
                    if !self.step(fold, first, second)? {
                        break;
                    }
                    at += 1;
                }
            }
            Val::Map(_) | Val::Object(..) => {
                let keys = equal::keys(self.meter.declared, &range);
                for (at, key) in keys.into_iter().enumerate() {
                    let value = match fold.second {
                        // A property that is null has a key, but not a value.
                        Some(_) => equal::entry_at(self.meter.declared, &range, at, &key)
                            .unwrap_or_else(|| Err(access::no_such_key(&key))),
                        None => Ok(Val::Null),
                    };
                    if !self.step(fold, Ok(key), value)? {
                        break;
                    }
                }
            }
            other => {
                let ty = other.go_type();
                let text = match fold.second {
                    Some(_) => format!("unsupported comprehension range type: {ty}"),
                    None => format!("got '{ty}', expected iterable type"),
                };
                return Err(Fault::error(text));
            }
        }
        self.eval(&fold.result)
    }

    /// Evaluates the predicate for the elements of a list, up to the first error. The result is a
    /// value only at the end, but each round costs as much as its condition and its step.
    fn ask(&mut self, fold: &'v Fold, goal: Goal, range: &Val<'v>) -> Result<Asked, Fault> {
        let predicate = match &fold.step {
            Code::And(both) | Code::Or(both) => {
                let [_, predicate] = &**both;
                predicate
            }
            Code::Choice(choice) => &choice.condition,
            step => step,
        };
        // The number of elements that match; for `all`, the number of elements that do not match.
        let mut count = 0_i64;
        let mut at = 0;
        let elements = equal::Elements::of(self.meter.declared, range);
        while let Some(value) = elements.at(at) {
            // The condition reads the result, which `exists` negates. The step reads the result
            // too, if another round follows.
            let steps = match goal {
                Goal::All => 2,
                Goal::Any => 3,
                Goal::One => 0,
            };
            if count > 0 && steps > 0 {
                self.meter.steps(steps)?;
                break;
            }
            if steps > 0 {
                self.meter.work(1)?;
                self.meter.steps(steps + 1)?;
            }
            *self.slot(fold.var) = value;
            at += 1;
            match self.decided(predicate) {
                Ok(is_met) => {
                    if goal == Goal::One && is_met {
                        self.meter.steps(2)?;
                    }
                    count += i64::from(is_met != (goal == Goal::All));
                }
                Err(fault @ Fault::Error(_)) => {
                    *self.slot(fold.accu) = Err(fault);
                    return Ok(Asked::Failed { at });
                }
                Err(stop) => return Err(stop),
            }
        }
        // The result is read, and a number is compared.
        self.meter.steps(if goal == Goal::One { 2 } else { 1 })?;
        Ok(Asked::Answer(match goal {
            Goal::All => count == 0,
            Goal::Any => count > 0,
            Goal::One => count == 1,
        }))
    }

    /// Evaluates the expression that a variable is a name for, if the variable has not been read
    /// before.
    pub(super) fn read(&mut self, slot: u16) -> Result<(), Fault> {
        if let Some(at) = self.unread.iter().position(|(unread, _)| *unread == slot) {
            let (_, init) = self.unread.swap_remove(at);
            *self.slot(slot) = stopping(self.eval(init))?.map(Val::named);
        }
        Ok(())
    }

    /// Runs a round of a comprehension. Returns true if another round follows.
    fn step(&mut self, fold: &'v Fold, first: Slot<'v>, second: Slot<'v>) -> Result<bool, Fault> {
        *self.slot(fold.var) = first;
        if let Some(slot) = fold.second {
            *self.slot(slot) = second;
        }
        if let Some(condition) = &fold.condition
            && let Ok(false) = stopping(self.decided(condition))?
        {
            return Ok(false);
        }
        let value = stopping(match self.append(fold) {
            Some(value) => value,
            None => self.eval(&fold.step),
        })?;
        *self.slot(fold.accu) = value.map(Val::collected);
        Ok(true)
    }

    /// Evaluates an element to append. The list before the element is paid for first, then the list
    /// around the element and the sum, even if the element fails.
    fn appended(&mut self, element: &'v Code) -> Result<Val<'v>, Fault> {
        self.meter.charge(1)?;
        let element = stopping(self.eval(element))?;
        self.meter.charge(11)?;
        element
    }

    /// Runs a step that is `accu + [element]`, or `filter ? accu + [element] : accu`: the list
    /// grows in place. Returns `None` for other steps.
    fn append(&mut self, fold: &'v Fold) -> Option<Result<Val<'v>, Fault>> {
        if !fold.appends {
            return None;
        }
        let accu = fold.accu;
        let (filter, sum) = match &fold.step {
            Code::Choice(choice) => (Some(&choice.condition), &choice.yes),
            sum => (None, sum),
        };
        let Code::Call(call) = sum else { return None };
        let [_, Code::List(elements)] = &*call.args else {
            return None;
        };
        let [(element, false)] = &**elements else {
            return None;
        };
        if self.slot(accu).is_err() {
            return None;
        }
        if let Some(filter) = filter {
            match self.decided(filter) {
                Ok(true) => {}
                Ok(false) => {
                    // Keeping the list is a free look-up.
                    return Some(core::mem::replace(self.slot(accu), Ok(Val::Null)));
                }
                Err(fault) => return Some(Err(fault)),
            }
        }
        let element = match self.appended(element) {
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
