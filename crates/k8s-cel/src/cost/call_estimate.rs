//! Estimates of single calls: the arguments of an estimate, and its result.

use super::estimate::EstimateRange;
use crate::types::types::Type;

/// The arguments of a call, as an estimate sees them. The receiver of a member call is the first.
pub(crate) trait Arguments {
    /// Returns the number of arguments.
    fn count(&self) -> usize;
    /// Returns the type of an argument at the check of the call.
    fn ty(&self, at: usize) -> Option<&Type>;
    /// Returns the size of an argument, if it is known.
    fn known_size(&self, at: usize) -> Option<EstimateRange>;
    /// Returns the size of the elements of a list; `None` if the argument is not known to be a
    /// list.
    fn elements(&self, at: usize) -> Option<ElementEstimate>;
    /// Returns the value of an integer literal.
    fn int_literal(&self, at: usize) -> Option<i64>;

    /// Returns the size of an argument. An unknown size may be anything.
    fn size(&self, at: usize) -> EstimateRange {
        self.known_size(at).unwrap_or(EstimateRange::UNKNOWN)
    }
}

/// The elements of a list.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ElementEstimate {
    /// True for strings and bytes.
    pub(crate) are_strings: bool,
    pub(crate) size: EstimateRange,
}

/// The estimated cost of a call without its arguments, and the estimated size of its result, if the
/// call determines it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CallEstimate {
    pub(crate) cost: EstimateRange,
    pub(crate) size: Option<EstimateRange>,
}

impl CallEstimate {
    /// Returns an estimate of the cost alone.
    pub(crate) const fn cost_only(cost: EstimateRange) -> Self {
        Self { cost, size: None }
    }

    /// Returns an estimate of the cost and of the size of the result.
    pub(crate) const fn sized(cost: EstimateRange, size: EstimateRange) -> Self {
        Self {
            cost,
            size: Some(size),
        }
    }
}

/// A formula that estimates a call.
pub(crate) type EstimateFunction = fn(&dyn Arguments) -> CallEstimate;
