//! The flow of requests over a walk, whatever represents the objects.

use serde_json::Value;

use super::judge::{FindingAt, Judge, Which};
use super::normalize::{Normalizer, by_applied, by_live, by_model};
use super::settings::{Ratchet, Settings};
use super::validate::Finding;
use crate::report::changes::Changes;
use crate::report::report::Report;
use crate::union_spec::UnionSpec;
use crate::view::node::{VisitorMut, Walk, WalkMut};
use crate::view::place::Place;
use k8s_json_internals::keyed::Indexes;

/// The rules for requests, for objects in a representation of your own ([`spec`](crate::spec)).
///
/// A walk gets the place of the object and the visitor, and shows every [`Node`](crate::spec::Node)
/// with the old one that it is correlated with. [`Union`](trait@crate::Union) has the same for Rust
/// types, `union_json::Unions` for JSON.
#[derive(Clone, Copy, Debug)]
pub struct Requests {
    settings: Settings,
}

/// The object that a merged object is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Against {
    /// The stored object.
    Live,
    /// The object that the author sent.
    Applied,
}

impl Requests {
    /// The rules by these settings.
    #[must_use]
    pub const fn new(settings: Settings) -> Self {
        Self { settings }
    }

    /// Normalizes an object, as [`normalize_unions`](crate::Union::normalize_unions) does.
    pub fn normalize(self, walk: WalkMut<'_, '_>) -> Changes {
        let mut normalizer = Normalizer::new(by_model, self.settings.restore_unaware);
        if self.settings.unions {
            walk(&Place::root(&Indexes::default()), &mut normalizer);
        }
        normalizer.changes
    }

    /// Checks a new object, as [`validate_unions`](crate::Union::validate_unions) does. The errors
    /// are in the order of the walk.
    pub fn validate(self, walk: Walk<'_, '_>) -> Report {
        self.check(|_, _| true, &mut |_| false, walk)
    }

    /// Checks an update, as [`validate_unions_update`](crate::Union::validate_unions_update) does.
    /// `objects` returns the new object and the old one as JSON; without them, no error that
    /// depends on more than the state of its union is tolerated.
    pub fn validate_update<'o>(
        self,
        objects: &dyn Fn() -> Option<[&'o Value; 2]>,
        walk: Walk<'_, '_>,
    ) -> Report {
        let mut tolerates = |found: &FindingAt<'_, '_>| match self.settings.ratchet {
            Ratchet::SameReason => found.has_same_reason(objects),
            Ratchet::Unchanged => found.is_unchanged(objects()),
            Ratchet::Off => false,
        };
        self.check(|_, _| true, &mut tolerates, walk)
    }

    /// Checks that an applied object is unambiguous, as
    /// [`normalize_unions_apply`](crate::Union::normalize_unions_apply) demands. In the 2019 model,
    /// a union with several members is an error, and so is a discriminator that names another
    /// member (2019 text, "Future Work").
    pub fn validate_applied(self, walk: Walk<'_, '_>) -> Report {
        self.check(contradicts, &mut |_| false, walk)
    }

    /// Reports the findings that count.
    fn check(
        self,
        which: Which,
        tolerates: &mut dyn FnMut(&FindingAt<'_, '_>) -> bool,
        walk: Walk<'_, '_>,
    ) -> Report {
        let report = Report::default();
        let mut judge = Judge {
            report,
            which,
            tolerates,
        };
        if self.settings.unions {
            walk(&Place::root(&Indexes::default()), &mut judge);
        }
        judge.report
    }

    /// Normalizes the object that a server-side apply makes, as
    /// [`normalize_unions_apply`](crate::Union::normalize_unions_apply) does. `walk` shows the
    /// merged object twice: against the stored object, then against the applied one.
    pub fn normalize_merged<'v>(
        self,
        walk: &mut dyn FnMut(Against, &Place<'_, 'v>, &mut dyn VisitorMut),
    ) -> Changes {
        let mut normalizer = Normalizer::new(by_live, self.settings.restore_unaware);
        if self.settings.unions {
            let root = &Indexes::default();
            walk(Against::Live, &Place::root(root), &mut normalizer);
            normalizer.rule = by_applied;
            let root = &Indexes::default();
            walk(Against::Applied, &Place::applied(root), &mut normalizer);
        }
        normalizer.changes
    }
}

/// Returns true if an applied object does not mean one thing. In the 2019 model it has to; no
/// member at all is fine, as the merged object is validated too. A member that cannot be read names
/// itself.
fn contradicts(spec: &UnionSpec<'_>, finding: Finding) -> bool {
    !spec.is_selected_by_discriminator()
        && !matches!(finding, Finding::NoneSet | Finding::Unreadable)
}
