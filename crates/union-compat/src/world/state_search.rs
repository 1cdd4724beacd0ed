//! Searches for objects that a version accepts and that have the same state of the unions as
//! another object.
//!
//! The rules of an object may require other fields, or other values of a member, for some states of
//! a union. The search changes them, and keeps the discriminators and the set members.

use std::cell::Cell;

use serde_json::Value;
use union_json::document::SchemaPath;

use crate::bounds::{ALL_STATE_VALIDATIONS, STATE_VALIDATIONS};
use crate::version::version::ApiVersion;
use crate::version::version_side::VersionSide;
use crate::world::enclosing_object::EnclosingObject;
use crate::world::object_space::MatchedUnions;

/// The number of objects that searches may still validate.
pub(crate) struct SearchBudget {
    left: Cell<usize>,
    left_for_unions: Cell<usize>,
}

impl SearchBudget {
    pub(crate) const fn new() -> Self {
        Self {
            left: Cell::new(ALL_STATE_VALIDATIONS),
            left_for_unions: Cell::new(0),
        }
    }

    /// Begins the searches for the next unions.
    fn start_unions(&self) {
        self.left_for_unions.set(STATE_VALIDATIONS);
    }

    fn count_validation(&self) {
        for left in [&self.left, &self.left_for_unions] {
            left.set(left.get().saturating_sub(1));
        }
    }

    fn is_exhausted(&self) -> bool {
        self.left.get() == 0 || self.left_for_unions.get() == 0
    }
}

/// A search for objects with the same state of matched unions.
pub(crate) struct StateSearch<'a> {
    versions: [&'a ApiVersion; 2],
    path: &'a SchemaPath,
    /// The object that contains the objects; the search may change it.
    enclosing: &'a EnclosingObject,
    unions: &'a MatchedUnions<'a>,
    budget: &'a SearchBudget,
    /// True if an object was not searched because of the budget.
    is_incomplete: Cell<bool>,
}

impl<'a> StateSearch<'a> {
    pub(crate) fn new(
        versions: [&'a ApiVersion; 2],
        path: &'a SchemaPath,
        enclosing: &'a EnclosingObject,
        unions: &'a MatchedUnions<'a>,
        budget: &'a SearchBudget,
    ) -> Self {
        budget.start_unions();
        Self {
            versions,
            path,
            enclosing,
            unions,
            budget,
            is_incomplete: Cell::new(false),
        }
    }

    /// Returns true if an object was not searched because of a limit.
    pub(crate) fn is_incomplete(&self) -> bool {
        self.is_incomplete.get()
    }

    /// Returns an enclosing object that the versions accept, whose object at the path has the same
    /// state of the unions as an object.
    pub(crate) fn find(
        &self,
        accepting_sides: &[VersionSide],
        object: &Value,
    ) -> Option<EnclosingObject> {
        if self.budget.is_exhausted() {
            self.is_incomplete.set(true);
            return None;
        }
        let has_state = |found: &Value| {
            self.budget.count_validation();
            self.unions.have_same_state(found, object)
                && accepting_sides.iter().all(|side| {
                    let union_object = side.select(self.versions).union_object(self.path);
                    union_object.is_none_or(|it| it.validator.validate(found).is_accepted())
                })
        };
        self.enclosing
            .around_similar(self.versions, self.path, accepting_sides, object, has_state)
    }
}
