//! The operators that order two values.

use std::cmp::Ordering;
use std::collections::HashSet;

use serde_json::{Value, json};

/// An operator that compares two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

impl Comparison {
    pub(super) fn of_function(function: &str) -> Option<Self> {
        Some(match function {
            "_==_" => Self::Equal,
            "_!=_" => Self::NotEqual,
            "_<_" => Self::Less,
            "_<=_" => Self::LessEqual,
            "_>_" => Self::Greater,
            "_>=_" => Self::GreaterEqual,
            _ => return None,
        })
    }

    /// Returns the operator whose result is the opposite.
    pub(super) const fn negated(self) -> Self {
        match self {
            Self::Equal => Self::NotEqual,
            Self::NotEqual => Self::Equal,
            Self::Less => Self::GreaterEqual,
            Self::LessEqual => Self::Greater,
            Self::Greater => Self::LessEqual,
            Self::GreaterEqual => Self::Less,
        }
    }

    /// Returns the operator with its operands exchanged.
    pub(super) const fn mirrored(self) -> Self {
        match self {
            Self::Less => Self::Greater,
            Self::LessEqual => Self::GreaterEqual,
            Self::Greater => Self::Less,
            Self::GreaterEqual => Self::LessEqual,
            symmetric => symmetric,
        }
    }

    /// Returns true if the comparison of two values with this order is true.
    pub(super) const fn accepts(self, order: Ordering) -> bool {
        match self {
            Self::Equal => order.is_eq(),
            Self::NotEqual => order.is_ne(),
            Self::Less => order.is_lt(),
            Self::LessEqual => order.is_le(),
            Self::Greater => order.is_gt(),
            Self::GreaterEqual => order.is_ge(),
        }
    }

    /// Returns true if the comparison of a value with a bound is true; `None` for values without a
    /// known order.
    pub(super) fn holds(self, value: &Value, bound: &Value) -> Option<bool> {
        if let (Some(value), Some(bound)) = (value.as_i64(), bound.as_i64()) {
            return Some(self.accepts(value.cmp(&bound)));
        }
        if let (Some(value), Some(bound)) = (value.as_f64(), bound.as_f64()) {
            return Some(self.accepts(value.partial_cmp(&bound)?));
        }
        match self {
            Self::Equal => Some(value == bound),
            Self::NotEqual => Some(value != bound),
            _ => None,
        }
    }

    /// Returns numbers that satisfy the comparison with a number, the nearest first.
    pub(super) fn numbers(self, bound: &Value) -> Vec<Value> {
        let numbers = match (bound.as_i64(), bound.as_f64()) {
            (Some(bound), _) => {
                let near = [0, -1, 1, 2, -2, 10, 100].map(|offset| bound.checked_add(offset));
                let far = [Some(0), bound.checked_neg()];
                let numbers = near.into_iter().chain(far).flatten();
                let mut seen = HashSet::new();
                let distinct = numbers.filter(|number| seen.insert(*number));
                distinct.map(Value::from).collect()
            }
            (None, Some(bound)) => {
                vec![json!(bound), json!(bound - 0.5), json!(bound + 0.5)]
            }
            _ => Vec::new(),
        };
        let mut numbers: Vec<Value> = numbers;
        numbers.retain(|number| self.holds(number, bound) == Some(true));
        numbers
    }
}
