//! The flow of requests over a walk, for every representation of objects.

use serde_json::Value;

use super::normalize::{Normalizer, plan_against_applied, plan_against_live, plan_by_model};
use super::settings::{Ratchet, Settings};
use super::validate::RuleFailure;
use super::validation_visitor::{FailureFilter, LocatedFailure, ValidationVisitor};
use crate::report::changes::Changes;
use crate::report::report::Report;
use crate::union_spec::UnionSpec;
use crate::view::{Cursor, VisitorMut, Walk, WalkMut};
use k8s_json_internals::element_index::IndexCache;

/// The rules for requests, for objects in a representation of your own ([`spec`](crate::spec)).
///
/// A walk is a closure that gets the place of the object and a visitor. It must show the visitor
/// every [`Node`](crate::spec::Node), with the old node that it is correlated with.
/// [`Union`](trait@crate::Union) has the same methods for Rust types, and `union_json::Unions` has
/// them for JSON.
#[derive(Clone, Copy, Debug)]
pub struct Requests {
    settings: Settings,
}

/// The object that a merged object is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Baseline {
    /// The stored object.
    Live,
    /// The object that the client sent.
    Applied,
}

impl Requests {
    /// Returns the rules with these settings.
    #[must_use]
    pub const fn new(settings: Settings) -> Self {
        Self { settings }
    }

    /// Normalizes an object, as [`normalize_unions`](crate::Union::normalize_unions) does, and
    /// returns the changes.
    pub fn normalize(self, walk: WalkMut<'_, '_>) -> Changes {
        let mut normalizer = Normalizer::new(plan_by_model, self.settings.restore_unaware);
        if self.settings.unions {
            walk(&Cursor::root(&IndexCache::default()), &mut normalizer);
        }
        normalizer.changes
    }

    /// Checks a new object, as [`validate_unions`](crate::Union::validate_unions) does. The errors
    /// are in the order of the walk.
    pub fn validate(self, walk: Walk<'_, '_>) -> Report {
        self.check(|_, _| true, &mut |_| false, walk)
    }

    /// Checks an update, as [`validate_unions_update`](crate::Union::validate_unions_update) does.
    /// `objects` returns the new object and the old object as JSON. If it returns `None`, only
    /// errors that depend on the state of their union alone can be tolerated.
    pub fn validate_update<'o>(
        self,
        objects: &dyn Fn() -> Option<[&'o Value; 2]>,
        walk: Walk<'_, '_>,
    ) -> Report {
        let mut tolerates = |found: &LocatedFailure<'_, '_>| match self.settings.ratchet {
            Ratchet::SameReason => found.fails_for_same_reason(objects),
            Ratchet::Unchanged => found.is_unchanged(objects()),
            Ratchet::Off => false,
        };
        self.check(|_, _| true, &mut tolerates, walk)
    }

    /// Checks that an applied object is unambiguous, as
    /// [`normalize_unions_apply`](crate::Union::normalize_unions_apply) requires. In the 2019
    /// model, several members of a union are an error, and so is a discriminator that names another
    /// member than the set one (2019 text, "Future Work").
    pub fn validate_applied(self, walk: Walk<'_, '_>) -> Report {
        self.check(is_ambiguous, &mut |_| false, walk)
    }

    /// Reports the findings for which `which` returns true, split into errors and tolerated errors
    /// by `tolerates`.
    fn check(
        self,
        which: FailureFilter,
        tolerates: &mut dyn FnMut(&LocatedFailure<'_, '_>) -> bool,
        walk: Walk<'_, '_>,
    ) -> Report {
        let report = Report::default();
        let mut judge = ValidationVisitor {
            report,
            filter: which,
            tolerates,
        };
        if self.settings.unions {
            walk(&Cursor::root(&IndexCache::default()), &mut judge);
        }
        judge.report
    }

    /// Normalizes the merged object of a server-side apply, as
    /// [`normalize_unions_apply`](crate::Union::normalize_unions_apply) does, and returns the
    /// changes. `walk` is called twice with the merged object: the old object is first the stored
    /// object, then the applied object.
    pub fn normalize_merged<'v>(
        self,
        walk: &mut dyn FnMut(Baseline, &Cursor<'_, 'v>, &mut dyn VisitorMut),
    ) -> Changes {
        let mut normalizer = Normalizer::new(plan_against_live, self.settings.restore_unaware);
        if self.settings.unions {
            let root = &IndexCache::default();
            walk(Baseline::Live, &Cursor::root(root), &mut normalizer);
            normalizer.rule = plan_against_applied;
            let root = &IndexCache::default();
            walk(Baseline::Applied, &Cursor::for_merge(root), &mut normalizer);
        }
        normalizer.changes
    }
}

/// Returns true if a finding makes an applied object ambiguous, which is an error in the 2019 model
/// only. An applied object without members is unambiguous, since the merged object is validated
/// too. So is an object whose selected member cannot be read.
fn is_ambiguous(spec: &UnionSpec<'_>, finding: RuleFailure) -> bool {
    !spec.is_selected_by_discriminator()
        && !matches!(
            finding,
            RuleFailure::NoMemberSet | RuleFailure::MemberUnreadable
        )
}
