//! Evaluates boolean expressions to `bool` directly, without a CEL value for each subexpression.

use super::{Interpreter, SlotValue};
use crate::interpreter::program::{self, BorrowedTestKind, Conditional, PlanNode, SelectMode};
use crate::syntax::Literal;
use crate::values::value::{EvalError, Val};

/// A marker for a failed evaluation, whose error the interpreter stores. The marker keeps results
/// small.
pub(super) struct StoredError;

pub(super) type BoolResult = Result<bool, StoredError>;

impl<'v> Interpreter<'v> {
    /// Evaluates a node whose result must be a bool.
    pub(crate) fn eval_bool(&mut self, node: &'v PlanNode) -> Result<bool, EvalError> {
        match self.eval_bool_storing_error(node) {
            Ok(value) => Ok(value),
            Err(StoredError) => Err(self.take_last_error()),
        }
    }

    /// Removes and returns the stored error.
    #[cold]
    fn take_last_error(&mut self) -> EvalError {
        core::mem::replace(&mut self.last_error, EvalError::CostLimit)
    }

    /// Stores an error.
    #[cold]
    fn store_error(&mut self, error: EvalError) -> StoredError {
        self.last_error = error;
        StoredError
    }

    /// Stores the error of a failed result in the interpreter.
    #[inline]
    pub(super) fn store_if_error<T>(
        &mut self,
        result: Result<T, EvalError>,
    ) -> Result<T, StoredError> {
        match result {
            Ok(value) => Ok(value),
            Err(error) => Err(self.store_error(error)),
        }
    }

    #[inline]
    pub(super) fn charge(&mut self, cost: u64) -> Result<(), StoredError> {
        let charged = self.tracker.charge(cost);
        self.store_if_error(charged)
    }

    #[inline]
    pub(super) fn charge_hidden(&mut self, steps: u64) -> Result<(), StoredError> {
        let charged = self.tracker.charge_hidden(steps);
        self.store_if_error(charged)
    }

    /// Evaluates a node like [`eval_bool`](Self::eval_bool), but stores the error in the
    /// interpreter.
    #[inline]
    pub(super) fn eval_bool_storing_error(&mut self, node: &'v PlanNode) -> BoolResult {
        match node {
            PlanNode::Literal(Literal::Bool(value)) => Ok(*value),
            PlanNode::Select(select) if select.mode == SelectMode::Has => self.eval_has(select),
            PlanNode::And(operands) => self.eval_logical_operator(operands, false),
            PlanNode::Or(operands) => self.eval_logical_operator(operands, true),
            PlanNode::Not(operand) => self.eval_not(operand),
            PlanNode::ConstantIn(member) => self.eval_constant_in(member),
            PlanNode::NotStrictlyFalse(operand) => self.eval_not_strictly_false(operand),
            PlanNode::Call(call) => self.eval_bool_call(call),
            PlanNode::Conditional(conditional) => self.eval_bool_conditional(conditional),
            node => self.eval_value_as_bool(node),
        }
    }

    /// Evaluates a node without a direct evaluation to `bool`.
    #[inline(never)]
    fn eval_value_as_bool(&mut self, node: &'v PlanNode) -> BoolResult {
        let value = self.eval(node);
        self.expect_bool(value)
    }

    /// Returns the value as a bool, or stores the error of a value of another type.
    fn expect_bool(&mut self, value: SlotValue<'v>) -> BoolResult {
        match self.store_if_error(value)? {
            Val::Bool(value) => Ok(value),
            _ => Err(self.store_error(EvalError::no_such_overload())),
        }
    }

    /// Evaluates a conditional. If a branch is an attribute, its start value is free.
    #[inline(never)]
    fn eval_bool_conditional(&mut self, conditional: &'v Conditional) -> BoolResult {
        let branch = if self.eval_bool_storing_error(&conditional.condition)? {
            &conditional.yes
        } else {
            &conditional.no
        };
        match branch {
            PlanNode::Slot(_) | PlanNode::Index(_) => self.eval_attribute_as_bool(branch),
            PlanNode::Select(select) if select.mode != SelectMode::Has => {
                self.eval_attribute_as_bool(branch)
            }
            branch => self.eval_bool_storing_error(branch),
        }
    }

    /// Evaluates an attribute whose start value is free.
    #[inline(never)]
    fn eval_attribute_as_bool(&mut self, branch: &'v PlanNode) -> BoolResult {
        let value = self.eval_attribute(branch, false);
        self.expect_bool(value)
    }

    /// Evaluates a call of `!`.
    #[inline(never)]
    fn eval_not(&mut self, operand: &'v PlanNode) -> BoolResult {
        let value = self.eval_bool_storing_error(operand);
        if value.is_ok() || matches!(self.last_error, EvalError::Expression(_)) {
            self.charge(1)?;
        }
        Ok(!value?)
    }

    /// Evaluates a test that is false only for `false`.
    #[inline(never)]
    fn eval_not_strictly_false(&mut self, operand: &'v PlanNode) -> BoolResult {
        let value = self.eval_bool_storing_error(operand);
        self.charge(1)?;
        match value {
            Err(StoredError) if matches!(self.last_error, EvalError::Expression(_)) => Ok(true),
            value => value,
        }
    }

    /// Evaluates `&&` or `||`. An operand that equals `decisive` decides the result, even if the
    /// other operand fails.
    #[inline(never)]
    fn eval_logical_operator(&mut self, operands: &'v [PlanNode; 2], decisive: bool) -> BoolResult {
        // Literal operands have no cost, and an expression may contain many of them.
        self.charge_hidden(1)?;
        let [left, right] = operands;
        match self.eval_bool_storing_error(left) {
            Ok(value) if value == decisive => Ok(decisive),
            Ok(_) => self.eval_bool_storing_error(right),
            Err(StoredError) => self.eval_right_operand_after_error(right, decisive),
        }
    }

    /// Evaluates the right operand of `&&` or `||` after the left operand has failed.
    #[cold]
    fn eval_right_operand_after_error(
        &mut self,
        right: &'v PlanNode,
        decisive: bool,
    ) -> BoolResult {
        let error = self.take_last_error();
        if let EvalError::CostLimit | EvalError::ServerPanic(_) = error {
            return Err(self.store_error(error));
        }
        match self.eval_bool_storing_error(right) {
            Ok(value) if value == decisive => Ok(decisive),
            Err(StoredError)
                if matches!(
                    self.last_error,
                    EvalError::CostLimit | EvalError::ServerPanic(_)
                ) =>
            {
                Err(StoredError)
            }
            _ => Err(self.store_error(error)),
        }
    }

    /// Evaluates a call whose result must be a bool.
    #[inline(never)]
    fn eval_bool_call(&mut self, call: &'v program::Call) -> BoolResult {
        if let (Some(test), [left, right]) = (&call.borrowed_test, &*call.args)
            && let Some(result) = self.run_borrowed_test(test, left, right)
        {
            return result;
        }
        if let (Some(result_if_equal), [left, right]) = (call.equality, &*call.args) {
            return self.eval_equality(call, result_if_equal, left, right);
        }
        let value = self.eval_call(call);
        self.expect_bool(value)
    }

    /// Evaluates `==` or `!=`. `result_if_equal` is the result for equal values.
    fn eval_equality(
        &mut self,
        call: &'v program::Call,
        result_if_equal: bool,
        left: &'v PlanNode,
        right: &'v PlanNode,
    ) -> BoolResult {
        let args = self.eval_both_args(call, left, right);
        let args = self.store_if_error(args)?;
        let is_equal = match &args {
            [Val::String(left), Val::String(right)] => {
                return self.run_string_test(
                    &BorrowedTestKind::Equal(result_if_equal),
                    left.as_str(),
                    right.as_str(),
                );
            }
            [Val::Int(left), Val::Int(right)] => left == right,
            [Val::Bool(left), Val::Bool(right)] => left == right,
            _ => {
                let value = self.apply(call, &args);
                return self.expect_bool(value);
            }
        };
        self.charge(1)?;
        Ok(is_equal == result_if_equal)
    }
}
