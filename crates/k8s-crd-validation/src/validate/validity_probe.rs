//! A visitor of decoding that finds out if the object is valid, and if lists contain duplicates.

use serde_json::Value;

use super::list_types::has_own_duplicates;
use super::validation::Validation;
use crate::decode::decode::ValueVisitor;
use crate::schema::{AdditionalProperties, ListType, Node, NodeId};

/// A visitor that validates all values inside an object during decoding.
pub(crate) struct ValidityProbe<'v> {
    validation: Validation<'v>,
    facts: ValidityFacts,
    is_stopped: bool,
}

/// The results of a [`ValidityProbe`]. They do not include the checks of the root object itself.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ValidityFacts {
    /// True if all values are valid.
    pub(crate) is_valid: bool,
    /// True if a list of type set or map contains duplicates.
    pub(crate) has_duplicates: bool,
}

impl ValidityFacts {
    /// The results before any value is visited.
    const INITIAL: Self = Self {
        is_valid: true,
        has_duplicates: false,
    };

    /// Returns the combined results of two probes.
    pub(crate) const fn combine(self, other_facts: Self) -> Self {
        Self {
            is_valid: self.is_valid && other_facts.is_valid,
            has_duplicates: self.has_duplicates || other_facts.has_duplicates,
        }
    }

    /// Returns true if all values are valid, and the root object itself is valid too.
    pub(crate) fn is_object_valid(
        self,
        validation: &Validation<'_>,
        id: NodeId,
        object: &Value,
    ) -> bool {
        self.is_valid && validation.is_own_value_valid(validation.schema.node(id), object, 0)
    }
}

impl<'v> ValidityProbe<'v> {
    pub(crate) const fn new(validation: Validation<'v>) -> Self {
        Self {
            validation,
            facts: ValidityFacts::INITIAL,
            is_stopped: false,
        }
    }

    /// Returns the results so far.
    pub(crate) const fn facts(&self) -> ValidityFacts {
        self.facts
    }
}

impl ValueVisitor for ValidityProbe<'_> {
    #[inline]
    fn visit(&mut self, node: &Node, value: &Value, required_count: usize) {
        if self.is_stopped {
            return;
        }
        // The first error is enough, because another walk collects all errors.
        self.facts.is_valid = self.facts.is_valid
            && self
                .validation
                .is_own_value_valid(node, value, required_count);
        if let Value::Array(elements) = value
            && node.list_type() != ListType::Atomic
        {
            self.facts.has_duplicates |= has_own_duplicates(node, elements);
        }
    }

    fn visit_undescribed_key(&mut self, node: &Node) {
        self.facts.is_valid &= node.additional_properties != AdditionalProperties::Forbidden;
    }

    fn stop(&mut self) {
        self.is_stopped = true;
    }

    fn restart(&mut self) {
        self.facts = ValidityFacts::INITIAL;
        self.is_stopped = false;
    }
}
