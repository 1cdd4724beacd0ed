//! Tests of strings and integers that are borrowed from JSON or the program, without creating a CEL
//! value.

use serde_json::Value;

use super::Interpreter;
use super::boolean::{BoolResult, StoredError};
use super::literal::LIST_CREATE_COST;
use crate::cost::hidden_cost;
use crate::functions::actual_cost;
use crate::interpreter::program::{
    BorrowedTest, BorrowedTestKind, ChainEnd, ConstantIn, PlanNode, Select, SelectMode,
};
use crate::syntax::Literal;
use crate::values::value::{Str, Val, code_point_count};
use k8s_json_internals::number::JsonNumber;

impl BorrowedTestKind {
    /// Returns the cost of the test for two strings.
    #[inline]
    fn cost(&self, left: &str, right: &str) -> u64 {
        match self {
            Self::Equal(_) => actual_cost::borrowed_comparison(left, right),
            Self::String(test) => (test.cost)(left, right),
            Self::Match(_, Some(size)) => actual_cost::borrowed_matching(left, *size),
            Self::Match(_, None) | Self::Order(_) => 1,
        }
    }

    /// Returns the result of the test for two strings.
    #[inline]
    fn holds(&self, left: &str, right: &str) -> bool {
        match self {
            Self::Equal(result_if_equal) => (left == right) == *result_if_equal,
            Self::String(test) => (test.holds)(left, right),
            Self::Match(matcher, _) => matcher.is_match(left),
            Self::Order(test) => test(left.cmp(right)),
        }
    }
}

impl<'v> Interpreter<'v> {
    /// Tests two strings, and charges the cost of the test. The cost of the operands is already
    /// charged.
    pub(super) fn run_string_test(
        &mut self,
        kind: &BorrowedTestKind,
        left: &str,
        right: &str,
    ) -> BoolResult {
        self.charge(kind.cost(left, right))?;
        self.charge_hidden(hidden_cost::of_strings(left, right))?;
        Ok(kind.holds(left, right))
    }

    /// Tests two operands that can be borrowed. Returns `None` without charging if an operand
    /// cannot be borrowed, or if the cost exceeds the limit.
    #[inline]
    pub(super) fn run_borrowed_test(
        &mut self,
        BorrowedTest { kind, cost }: &'v BorrowedTest,
        left: &'v PlanNode,
        right: &'v PlanNode,
    ) -> Option<BoolResult> {
        if let BorrowedTestKind::Order(test) = kind {
            let (left, right) = (self.borrowed_int(left)?, self.borrowed_int(right)?);
            // The test itself costs 1.
            let is_charged = self.tracker.try_charge(cost + 1);
            return is_charged.then(|| Ok(test(left.cmp(&right))));
        }
        let (left, right) = (self.borrowed_str(left)?, self.borrowed_str(right)?);
        let cost = cost.saturating_add(kind.cost(left, right));
        if !self.tracker.try_charge(cost) {
            return None;
        }
        Some(
            match self.charge_hidden(hidden_cost::of_strings(left, right)) {
                Ok(()) => Ok(kind.holds(left, right)),
                Err(error) => Err(error),
            },
        )
    }

    /// Borrows the string of a literal, a variable, or a field chain, without charging.
    #[inline]
    fn borrowed_str(&mut self, node: &'v PlanNode) -> Option<&'v str> {
        match node {
            PlanNode::Literal(Literal::String(string)) => Some(string),
            PlanNode::Select(select) => match self.chain_end(select)? {
                (ChainEnd::String, Value::String(string)) => Some(string),
                _ => None,
            },
            PlanNode::Slot(slot) => match self.slots.get(usize::from(*slot)) {
                Some(Ok(Val::String(Str::Borrowed(string)))) => Some(string),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns the integer of a literal or of a field chain, or the size of a field chain's value,
    /// without charging.
    fn borrowed_int(&mut self, node: &'v PlanNode) -> Option<i64> {
        match node {
            PlanNode::Literal(Literal::Int(value)) => Some(*value),
            PlanNode::Select(select) => match self.chain_end(select)? {
                (ChainEnd::Int, Value::Number(number)) => match JsonNumber::from_number(number) {
                    JsonNumber::Int(value) => Some(value),
                    JsonNumber::Float(_) => None,
                },
                _ => None,
            },
            PlanNode::Call(call) => match &*call.args {
                [PlanNode::Select(select)] => self.chain_size(select),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns the size of the value that a field chain selects.
    fn chain_size(&mut self, select: &'v Select) -> Option<i64> {
        let size = match self.chain_end(select)? {
            (ChainEnd::String, Value::String(string)) => {
                self.tracker
                    .charge_hidden(hidden_cost::of_string(string))
                    .ok()?;
                code_point_count(string)
            }
            (ChainEnd::List, Value::Array(items)) => items.len() as u64,
            _ => return None,
        };
        i64::try_from(size).ok()
    }

    /// Returns the value that a field chain selects, and its declared kind.
    #[inline]
    fn chain_end(&mut self, select: &'v Select) -> Option<(ChainEnd, &'v Value)> {
        let chain = select.chain.filter(|_| select.mode == SelectMode::Select)?;
        Some((chain.end, self.chain_value(select, chain)?))
    }

    /// Returns true if the value is one of the string literals, or `None` if the value is not a
    /// string that can be borrowed.
    pub(super) fn is_string_one_of(
        &mut self,
        ConstantIn { value, cost, .. }: &'v ConstantIn,
        literals: &'v [(PlanNode, bool)],
    ) -> Result<Option<bool>, StoredError> {
        let (Some(cost), Some(value)) = (cost, self.borrowed_str(value)) else {
            return Ok(None);
        };
        if !self.tracker.try_charge(*cost) {
            return Ok(None);
        }
        self.check_literal_list_cost(literals)?;
        let equals_value = |(node, _): &(PlanNode, bool)| match node {
            PlanNode::Literal(Literal::String(string)) => string == value,
            _ => false,
        };
        Ok(Some(literals.iter().any(equals_value)))
    }

    /// Charges the hidden cost of comparing the literals, and fails if the cost of creating a list
    /// of the literals would exceed the limit. The server creates the list when it compiles the
    /// expression; this implementation compares the literals without a list.
    pub(super) fn check_literal_list_cost(
        &mut self,
        literals: &[(PlanNode, bool)],
    ) -> Result<(), StoredError> {
        // Eight literals count as two steps.
        self.charge_hidden(literals.len() as u64 / 8 * 2)?;
        let cost_before = self.tracker.cost();
        self.charge(LIST_CREATE_COST)?;
        self.tracker.reset_to(cost_before);
        Ok(())
    }
}
