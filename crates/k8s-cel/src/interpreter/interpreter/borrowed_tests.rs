//! Questions about strings and numbers of the object and of the rule, which are compared in place.

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
    /// Returns the price of the question for two strings.
    #[inline]
    fn cost(&self, one: &str, two: &str) -> u64 {
        match self {
            Self::Equal(_) => actual_cost::comparison_of(one, two),
            Self::String(test) => (test.cost)(one, two),
            Self::Match(_, Some(size)) => actual_cost::matching_of(one, *size),
            Self::Match(_, None) | Self::Order(_) => 1,
        }
    }

    /// Returns the answer for two strings.
    #[inline]
    fn holds(&self, one: &str, two: &str) -> bool {
        match self {
            Self::Equal(wanted) => (one == two) == *wanted,
            Self::String(test) => (test.holds)(one, two),
            Self::Match(finder, _) => finder.is_match(one),
            Self::Order(wanted) => wanted(one.cmp(two)),
        }
    }
}

impl<'v> Interpreter<'v> {
    /// Answers a question about two strings, and charges its price. The strings are paid for
    /// already.
    pub(super) fn string_test(
        &mut self,
        asks: &BorrowedTestKind,
        one: &str,
        two: &str,
    ) -> BoolResult {
        self.charge(asks.cost(one, two))?;
        self.charge_hidden(hidden_cost::of_strings(one, two))?;
        Ok(asks.holds(one, two))
    }

    /// Answers a question about two values that are read in place. Returns `None`, without a
    /// charge, if a value is not read in place or if the total cost is too high.
    #[inline]
    pub(super) fn borrowed_test(
        &mut self,
        BorrowedTest { kind: asks, cost }: &'v BorrowedTest,
        one: &'v PlanNode,
        two: &'v PlanNode,
    ) -> Option<BoolResult> {
        if let BorrowedTestKind::Order(wanted) = asks {
            let (one, two) = (self.borrowed_int(one)?, self.borrowed_int(two)?);
            let is_paid = self.tracker.try_charge(cost + 1);
            return is_paid.then(|| Ok(wanted(one.cmp(&two))));
        }
        let (one, two) = (self.borrowed_str(one)?, self.borrowed_str(two)?);
        let cost = cost.saturating_add(asks.cost(one, two));
        if !self.tracker.try_charge(cost) {
            return None;
        }
        Some(
            match self.charge_hidden(hidden_cost::of_strings(one, two)) {
                Ok(()) => Ok(asks.holds(one, two)),
                Err(failed) => Err(failed),
            },
        )
    }

    /// Returns a string that is a literal, a variable, or the target of plain names, without a
    /// charge.
    #[inline]
    fn borrowed_str(&mut self, code: &'v PlanNode) -> Option<&'v str> {
        match code {
            PlanNode::Literal(Literal::String(text)) => Some(text),
            PlanNode::Select(select) => match self.chain_end(select)? {
                (ChainEnd::String, Value::String(text)) => Some(text),
                _ => None,
            },
            PlanNode::Slot(slot) => match self.slots.get(usize::from(*slot)) {
                Some(Ok(Val::String(Str::Borrowed(text)))) => Some(text),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns an integer that is a literal, the target of plain names, or the size of the target
    /// of plain names, without a charge.
    fn borrowed_int(&mut self, code: &'v PlanNode) -> Option<i64> {
        match code {
            PlanNode::Literal(Literal::Int(value)) => Some(*value),
            PlanNode::Select(select) => match self.chain_end(select)? {
                (ChainEnd::Int, Value::Number(number)) => match JsonNumber::from_number(number) {
                    JsonNumber::Int(value) => Some(value),
                    JsonNumber::Float(_) => None,
                },
                _ => None,
            },
            PlanNode::Call(call) => match &*call.args {
                [PlanNode::Select(select)] => self.size_at(select),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns the size of the target of plain names.
    fn size_at(&mut self, select: &'v Select) -> Option<i64> {
        let size = match self.chain_end(select)? {
            (ChainEnd::String, Value::String(text)) => {
                self.tracker
                    .charge_hidden(hidden_cost::of_string(text))
                    .ok()?;
                code_point_count(text)
            }
            (ChainEnd::List, Value::Array(items)) => items.len() as u64,
            _ => return None,
        };
        i64::try_from(size).ok()
    }

    /// Returns the target of plain names, and its declared kind.
    #[inline]
    fn chain_end(&mut self, select: &'v Select) -> Option<(ChainEnd, &'v Value)> {
        let plain = select.chain.filter(|_| select.mode == SelectMode::Select)?;
        Some((plain.end, self.chain_value(select, plain)?))
    }

    /// Returns true if a string is in a list of string literals, and `None` if the value is not a
    /// string that is read in place.
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
        self.charge_literals(literals)?;
        let is_it = |(code, _): &(PlanNode, bool)| match code {
            PlanNode::Literal(Literal::String(text)) => text == value,
            _ => false,
        };
        Ok(Some(literals.iter().any(is_it)))
    }

    /// Checks that the cost of a list is affordable. The literals are compared in place, so a list
    /// is not created, and is not charged.
    pub(super) fn charge_literals(
        &mut self,
        literals: &[(PlanNode, bool)],
    ) -> Result<(), StoredError> {
        self.charge_hidden(literals.len() as u64 / 8 * 2)?;
        let before = self.tracker.cost();
        self.charge(LIST_CREATE_COST)?;
        self.tracker.reset_to(before);
        Ok(())
    }
}
