//! What a walk through an object finds out beside: whether all in it is valid, and whether no list has something twice.

use serde_json::Value;

use super::list_types::has_duplicates_itself;
use super::validation::Validation;
use crate::decode::decode::Beside;
use crate::schema::{Additional, ListType, Node, NodeId};

/// The look at all that an object holds.
pub(crate) struct Survey<'v> {
    validation: Validation<'v>,
    found: Surveyed,
    is_over: bool,
}

/// What was found. Of the object itself it says nothing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Surveyed {
    /// Whether all is valid.
    pub(crate) is_valid: bool,
    /// Whether a list has something twice.
    pub(crate) has_duplicates: bool,
}

impl Surveyed {
    /// As long as nothing was shown.
    const NOTHING: Self = Self {
        is_valid: true,
        has_duplicates: false,
    };

    /// What was found of both.
    pub(crate) const fn and(self, other: Self) -> Self {
        Self {
            is_valid: self.is_valid && other.is_valid,
            has_duplicates: self.has_duplicates || other.has_duplicates,
        }
    }

    /// Whether an object is valid of which this was found.
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

    /// What was found so far.
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
        // One error is enough: which they are is asked of another walk.
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
