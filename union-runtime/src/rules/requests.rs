//! Runs the rules of a request over a walk, for every representation of objects.

use serde_json::Value;

use super::normalize::{Normalizer, plan_against_applied, plan_against_live, plan_by_model};
use super::settings::{Ratchet, Settings};
use super::validate::{FailureInUnion, RuleFailure};
use super::validation_visitor::{FailureFilter, LocatedFailure, ValidationVisitor};
use crate::report::changes::Changes;
use crate::report::report::Report;
use crate::view::{Cursor, VisitorMut, Walk, WalkMut};
use k8s_json_internals::element_index::IndexCache;

/// Runs the rules of a request on objects in a representation of your own ([`spec`](crate::spec)).
///
/// A walk is a closure that takes the cursor of the object and a visitor. It must pass every
/// [`Node`](crate::spec::Node) to the visitor, with the old node that the node is correlated with.
/// [`Union`](trait@crate::Union) has the same methods for Rust types, and `union_json::Unions` has
/// the same methods for JSON.
#[derive(Clone, Copy, Debug)]
pub struct Requests {
    settings: Settings,
}

/// The filter of a validation that reports every failure.
const ALL_FAILURES: FailureFilter = |_| true;

/// The object that a merged object is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Baseline {
    /// The stored object.
    Live,
    /// The object that the client sent.
    Applied,
}

impl Requests {
    /// Creates the rules with these settings.
    #[must_use]
    pub const fn new(settings: Settings) -> Self {
        Self { settings }
    }

    /// Normalizes an object like [`normalize_unions`](crate::Union::normalize_unions), and returns
    /// the changes.
    pub fn normalize(self, walk: WalkMut<'_, '_>) -> Changes {
        let mut normalizer = Normalizer::new(plan_by_model, self.settings.restore_unaware);
        if self.settings.unions {
            walk(&Cursor::root(&IndexCache::default()), &mut normalizer);
        }
        normalizer.changes
    }

    /// Validates a new object like [`validate_unions`](crate::Union::validate_unions). The errors
    /// are in the order of the walk.
    pub fn validate(self, walk: Walk<'_, '_>) -> Report {
        self.check(ALL_FAILURES, &mut |_| false, walk)
    }

    /// Reports the errors of a new object like [`validate`](Self::validate), except values and
    /// members that this build does not know. A newer build may know them.
    pub fn validate_known(self, walk: Walk<'_, '_>) -> Report {
        self.check(is_known, &mut |_| false, walk)
    }

    /// Validates an update like [`validate_unions_update`](crate::Union::validate_unions_update).
    /// `objects` returns the new object and the old object as JSON, or `None` if an object cannot
    /// be serialized. With `None`, all values count as changed. An error is then tolerated only
    /// because of the state of its union.
    pub fn validate_update<'o>(
        self,
        objects: &dyn Fn() -> Option<[&'o Value; 2]>,
        walk: Walk<'_, '_>,
    ) -> Report {
        let mut tolerates = |failure: &LocatedFailure<'_, '_>| match self.settings.ratchet {
            Ratchet::SameReason => failure.fails_for_same_reason(objects),
            Ratchet::Unchanged => failure.is_unchanged(objects()),
            Ratchet::Off => false,
        };
        self.check(ALL_FAILURES, &mut tolerates, walk)
    }

    /// Checks that an applied object is unambiguous, as
    /// [`normalize_unions_apply`](crate::Union::normalize_unions_apply) requires. In the 2019
    /// model, two states are errors (2019 text, "Future Work"): several set members of a union, and
    /// a discriminator that names another member than the set member.
    pub fn validate_applied(self, walk: Walk<'_, '_>) -> Report {
        self.check(is_ambiguous, &mut |_| false, walk)
    }

    /// Reports the failures for which `filter` returns true, split into errors and tolerated errors
    /// by `tolerates`.
    fn check(
        self,
        filter: FailureFilter,
        tolerates: &mut dyn FnMut(&LocatedFailure<'_, '_>) -> bool,
        walk: Walk<'_, '_>,
    ) -> Report {
        let mut visitor = ValidationVisitor {
            report: Report::default(),
            filter,
            tolerates,
        };
        if self.settings.unions {
            walk(&Cursor::root(&IndexCache::default()), &mut visitor);
        }
        visitor.report
    }

    /// Normalizes the merged object of a server-side apply like
    /// [`normalize_unions_apply`](crate::Union::normalize_unions_apply), and returns the changes.
    /// `walk` is called twice with the merged object: first with the stored object as the old
    /// object, then with the applied object.
    pub fn normalize_merged<'v>(
        self,
        walk: &mut dyn FnMut(Baseline, &Cursor<'_, 'v>, &mut dyn VisitorMut),
    ) -> Changes {
        let mut normalizer = Normalizer::new(plan_against_live, self.settings.restore_unaware);
        if self.settings.unions {
            let live_cache = &IndexCache::default();
            walk(Baseline::Live, &Cursor::root(live_cache), &mut normalizer);
            normalizer.rule = plan_against_applied;
            let applied_cache = &IndexCache::default();
            let cursor = Cursor::for_merge(applied_cache);
            walk(Baseline::Applied, &cursor, &mut normalizer);
        }
        normalizer.changes
    }
}

/// Returns false for a failure that only a newer build can judge.
const fn is_known(failure: &FailureInUnion<'_>) -> bool {
    !matches!(
        failure.rule_failure,
        RuleFailure::DiscriminatorUnsupported | RuleFailure::NoMemberSet
    ) || !failure.state.is_unknown()
}

/// Returns true if a failure makes an applied object ambiguous, which is possible in the 2019 model
/// only. Two failures do not make an object ambiguous: validation of the merged object reports a
/// union without members, and a selected member that cannot be read.
const fn is_ambiguous(failure: &FailureInUnion<'_>) -> bool {
    !failure.spec.is_selected_by_discriminator()
        && !matches!(
            failure.rule_failure,
            RuleFailure::NoMemberSet | RuleFailure::MemberUnreadable
        )
}
