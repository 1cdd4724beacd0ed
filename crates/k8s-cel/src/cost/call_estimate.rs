//! The input and the result of the cost estimate of a call.

use super::estimate::EstimateRange;
use crate::types::types::Type;

/// The properties of arguments that an estimate needs. The first argument of a member call is the
/// receiver.
pub(crate) trait Arguments {
    /// Returns the number of arguments.
    fn count(&self) -> usize;
    /// Returns the type of an argument when the call is checked.
    fn ty(&self, index: usize) -> Option<&Type>;
    /// Returns the size of an argument, or `None` if the size is unknown.
    fn known_size(&self, index: usize) -> Option<EstimateRange>;
    /// Returns the size of an argument that CEL computes. On a server without
    /// [`ElementSizes`](crate::Feature::ElementSizes), a size of the schema or of the type does not
    /// count.
    fn computed_size(&self, index: usize) -> Option<EstimateRange>;
    /// Returns the estimate of the elements of a list, or of an argument whose type has parameters;
    /// `None` for other arguments.
    fn elements(&self, index: usize) -> Option<ElementEstimate>;
    /// Returns the value of an argument that is an integer literal.
    fn int_literal(&self, index: usize) -> Option<i64>;

    /// Returns the size of an argument; an unknown size is [`EstimateRange::UNKNOWN`].
    fn size(&self, index: usize) -> EstimateRange {
        self.known_size(index).unwrap_or(EstimateRange::UNKNOWN)
    }
}

/// The estimate of the elements of a list.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ElementEstimate {
    /// True if the elements are strings or bytes.
    pub(crate) are_strings: bool,
    pub(crate) size: EstimateRange,
}

/// The estimated cost of a call without its arguments, and the estimated size of its result, if the
/// call determines the size.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CallEstimate {
    pub(crate) cost: EstimateRange,
    pub(crate) size: Option<EstimateRange>,
}

impl CallEstimate {
    /// Returns an estimate without the size of the result.
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

/// A function that estimates a call.
pub(crate) type EstimateFunction = fn(&dyn Arguments) -> CallEstimate;
