//! Parts that evaluate to true or false, without a value for each step.

use super::{Interpreter, SlotValue};
use crate::interpreter::program::{self, BorrowedTestKind, Conditional, PlanNode, SelectMode};
use crate::syntax::Literal;
use crate::values::value::{EvalError, Val};

/// The failure of a part that should be true or false. The machine contains the fault, so that
/// results are small.
pub(super) struct StoredError;

pub(super) type BoolResult = Result<bool, StoredError>;

impl<'v> Interpreter<'v> {
    /// Evaluates code that must be true or false.
    pub(crate) fn eval_bool(&mut self, code: &'v PlanNode) -> Result<bool, EvalError> {
        match self.bool_result(code) {
            Ok(value) => Ok(value),
            Err(StoredError) => Err(self.take_error()),
        }
    }

    #[cold]
    fn take_error(&mut self) -> EvalError {
        core::mem::replace(&mut self.last_error, EvalError::CostLimit)
    }

    #[cold]
    fn store_error(&mut self, fault: EvalError) -> StoredError {
        self.last_error = fault;
        StoredError
    }

    /// Stores the fault of a failed result in the machine.
    #[inline]
    pub(super) fn store_if_error<T>(
        &mut self,
        result: Result<T, EvalError>,
    ) -> Result<T, StoredError> {
        match result {
            Ok(value) => Ok(value),
            Err(fault) => Err(self.store_error(fault)),
        }
    }

    #[inline]
    pub(super) fn charge(&mut self, cost: u64) -> Result<(), StoredError> {
        let charged = self.tracker.charge(cost);
        self.store_if_error(charged)
    }

    #[inline]
    pub(super) fn charge_hidden(&mut self, steps: u64) -> Result<(), StoredError> {
        let worked = self.tracker.charge_hidden(steps);
        self.store_if_error(worked)
    }

    /// Evaluates code like [`eval_bool`](Self::decided), with the fault in the machine.
    #[inline]
    pub(super) fn bool_result(&mut self, code: &'v PlanNode) -> BoolResult {
        match code {
            PlanNode::Literal(Literal::Bool(value)) => Ok(*value),
            PlanNode::Select(select) if select.mode == SelectMode::Has => self.has_field(select),
            PlanNode::And(both) => self.logic(both, false),
            PlanNode::Or(both) => self.logic(both, true),
            PlanNode::Not(of) => self.not(of),
            PlanNode::ConstantIn(member) => self.constant_in(member),
            PlanNode::NotStrictlyFalse(of) => self.not_strictly_false(of),
            PlanNode::Call(call) => self.bool_call(call),
            PlanNode::Conditional(choice) => self.bool_conditional(choice),
            code => self.bool_of_value(code),
        }
    }

    #[inline(never)]
    fn bool_of_value(&mut self, code: &'v PlanNode) -> BoolResult {
        let value = self.eval(code);
        self.is_true(value)
    }

    /// Returns true if a value is true. Returns an error if the value is neither true nor false.
    fn is_true(&mut self, value: SlotValue<'v>) -> BoolResult {
        match self.store_if_error(value)? {
            Val::Bool(value) => Ok(value),
            _ => Err(self.store_error(EvalError::no_such_overload())),
        }
    }

    /// Evaluates a side of a choice. A look-up does not pay for its start.
    #[inline(never)]
    fn bool_conditional(&mut self, choice: &'v Conditional) -> BoolResult {
        let side = if self.bool_result(&choice.condition)? {
            &choice.yes
        } else {
            &choice.no
        };
        match side {
            PlanNode::Slot(_) | PlanNode::Index(_) => self.bool_of_attribute(side),
            PlanNode::Select(select) if select.mode != SelectMode::Has => {
                self.bool_of_attribute(side)
            }
            side => self.bool_result(side),
        }
    }

    #[inline(never)]
    fn bool_of_attribute(&mut self, side: &'v PlanNode) -> BoolResult {
        let value = self.eval_attribute(side, false);
        self.is_true(value)
    }

    /// Evaluates a call of `!`.
    #[inline(never)]
    fn not(&mut self, of: &'v PlanNode) -> BoolResult {
        let value = self.bool_result(of);
        if value.is_ok() || matches!(self.last_error, EvalError::Expression(_)) {
            self.charge(1)?;
        }
        Ok(!value?)
    }

    #[inline(never)]
    fn not_strictly_false(&mut self, of: &'v PlanNode) -> BoolResult {
        let value = self.bool_result(of);
        self.charge(1)?;
        match value {
            Err(StoredError) if matches!(self.last_error, EvalError::Expression(_)) => Ok(true),
            value => value,
        }
    }

    /// Evaluates `&&` or `||`: the deciding value wins over errors of the other side.
    #[inline(never)]
    fn logic(&mut self, both: &'v [PlanNode; 2], decides: bool) -> BoolResult {
        // Literal terms are free, and an expression may have many.
        self.charge_hidden(1)?;
        let [one, two] = both;
        match self.bool_result(one) {
            Ok(value) if value == decides => Ok(decides),
            Ok(_) => self.bool_result(two),
            Err(StoredError) => self.logic_after_error(two, decides),
        }
    }

    /// Evaluates the other side after a side has failed.
    #[cold]
    fn logic_after_error(&mut self, two: &'v PlanNode, decides: bool) -> BoolResult {
        let fault = self.take_error();
        if let EvalError::CostLimit | EvalError::ServerPanic(_) = fault {
            return Err(self.store_error(fault));
        }
        match self.bool_result(two) {
            Ok(value) if value == decides => Ok(decides),
            Err(StoredError)
                if matches!(
                    self.last_error,
                    EvalError::CostLimit | EvalError::ServerPanic(_)
                ) =>
            {
                Err(StoredError)
            }
            _ => Err(self.store_error(fault)),
        }
    }

    /// Evaluates a call whose result is true, false or an error.
    #[inline(never)]
    fn bool_call(&mut self, call: &'v program::Call) -> BoolResult {
        if let (Some(question), [one, two]) = (&call.borrowed_test, &*call.args)
            && let Some(answer) = self.borrowed_test(question, one, two)
        {
            return answer;
        }
        if let (Some(wanted), [one, two]) = (call.equality, &*call.args) {
            return self.equality(call, wanted, one, two);
        }
        let value = self.call(call);
        self.is_true(value)
    }

    /// Evaluates a call of `==` or `!=`. `wanted` is the result for equal values.
    fn equality(
        &mut self,
        call: &'v program::Call,
        wanted: bool,
        one: &'v PlanNode,
        two: &'v PlanNode,
    ) -> BoolResult {
        let args = self.eval_both_args(call, one, two);
        let args = self.store_if_error(args)?;
        let is_equal = match &args {
            [Val::String(one), Val::String(two)] => {
                return self.string_test(
                    &BorrowedTestKind::Equal(wanted),
                    one.as_str(),
                    two.as_str(),
                );
            }
            [Val::Int(one), Val::Int(two)] => one == two,
            [Val::Bool(one), Val::Bool(two)] => one == two,
            _ => {
                let value = self.apply(call, &args);
                return self.is_true(value);
            }
        };
        self.charge(1)?;
        Ok(is_equal == wanted)
    }
}
