//! A survey of an object during decoding: validity, and duplicates in lists.

use serde_json::Value;

use super::list_types::has_duplicates_itself;
use super::validation::Validation;
use crate::decode::decode::Beside;
use crate::schema::{Additional, ListType, Node, NodeId};

/// An observer that validates all values inside an object during decoding.
pub(crate) struct Survey<'v> {
    validation: Validation<'v>,
    found: Surveyed,
    is_over: bool,
}

/// The results of a survey. They do not include the checks of the whole object itself.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Surveyed {
    /// True if all values are valid.
    pub(crate) is_valid: bool,
    /// True if a list of type set or map contains duplicates.
    pub(crate) has_duplicates: bool,
}

impl Surveyed {
    /// The results before any value is observed.
    const NOTHING: Self = Self {
        is_valid: true,
        has_duplicates: false,
    };

    /// Returns the combined results of two surveys.
    pub(crate) const fn and(self, other: Self) -> Self {
        Self {
            is_valid: self.is_valid && other.is_valid,
            has_duplicates: self.has_duplicates || other.has_duplicates,
        }
    }

    /// Returns true if the object itself is valid too.
    pub(crate) fn holds(self, validation: &Validation<'_>, id: NodeId, object: &Value) -> bool {
        self.is_valid && validation.is_valid_itself(validation.schema.node(id), object, 0)
    }
}

impl<'v> Survey<'v> {
    pub(crate) const fn new(validation: Validation<'v>) -> Self {
        Self {
            validation,
            found: Surveyed::NOTHING,
            is_over: false,
        }
    }

    /// Returns the results so far.
    pub(crate) const fn found(&self) -> Surveyed {
        self.found
    }
}

impl Beside for Survey<'_> {
    #[inline]
    fn see(&mut self, node: &Node, value: &Value, required: usize) {
        if self.is_over {
            return;
        }
        // The first error is enough, because another walk collects all errors.
        self.found.is_valid =
            self.found.is_valid && self.validation.is_valid_itself(node, value, required);
        if let Value::Array(elements) = value
            && node.list_type() != ListType::Atomic
        {
            self.found.has_duplicates |= has_duplicates_itself(node, elements);
        }
    }

    fn see_stray(&mut self, node: &Node) {
        self.found.is_valid &= node.additional != Additional::Forbidden;
    }

    fn stop(&mut self) {
        self.is_over = true;
    }

    fn start_again(&mut self) {
        self.found = Surveyed::NOTHING;
        self.is_over = false;
    }
}
