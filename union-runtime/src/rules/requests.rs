//! The flow of requests over a walk, whatever represents the objects.

use serde_json::Value;

use super::judge::{Which, judge};
use super::normalize::{Normalizer, by_applied, by_live, by_model};
use super::settings::{Ratchet, Settings};
use super::validate::Finding;
use crate::report::changes::Changes;
use crate::report::violations::{Accepted, Violations};
use crate::spec::UnionSpec;
use crate::view::node::{Visitor, VisitorMut, Walk, WalkMut};
use crate::view::place::Place;
use k8s_json_internals::keyed::Indexes;

/// The rules for requests, for objects in a representation of your own ([`view`](crate::view)).
///
/// A walk gets the place of the object and the visitor, and shows every [`Node`](crate::view::Node)
/// with the old one that it is correlated with. [`normalize`](crate::normalize) and its siblings
/// are the same for Rust types, `union_json::Unions` for JSON.
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

    /// Normalizes an object, as [`normalize`](crate::normalize) does.
    pub fn normalize(self, walk: WalkMut<'_, '_>) -> Changes {
        let mut normalizer = Normalizer::new(by_model, self.settings.restore_unaware);
        if self.settings.unions {
            walk(&Place::root(&Indexes::default()), &mut normalizer);
        }
        normalizer.changes
    }

    /// Checks a new object, as [`validate`](crate::validate) does.
    ///
    /// # Errors
    ///
    /// All violations, in the order of the walk.
    pub fn validate(self, walk: Walk<'_, '_>) -> Result<(), Violations> {
        self.refuse(|_, _| true, walk)
    }

    /// Checks an update, as [`validate_update`](crate::validate_update) does. `objects` returns the
    /// new object and the old one as JSON; without them, no violation that depends on more than the
    /// state of its union is tolerated.
    ///
    /// # Errors
    ///
    /// The violations that are new; the tolerated ones come with them.
    pub fn validate_update<'o>(
        self,
        objects: &dyn Fn() -> Option<[&'o Value; 2]>,
        walk: Walk<'_, '_>,
    ) -> Result<Accepted, Violations> {
        if !self.settings.unions {
            return Ok(Accepted::default());
        }
        let mut walk = |judge: &mut dyn Visitor| walk(&Place::root(&Indexes::default()), judge);
        judge(
            &mut walk,
            |_, _| true,
            &mut |found| match self.settings.ratchet {
                Ratchet::SameReason => found.has_same_reason(objects),
                Ratchet::Unchanged => found.is_unchanged(objects()),
                Ratchet::Off => false,
            },
        )
    }

    /// Checks that an applied object means one thing, which
    /// [`normalize_apply`](crate::normalize_apply) demands.
    ///
    /// # Errors
    ///
    /// In the 2019 model, unions with several members, or with a discriminator that names another
    /// member (2019 text, "Future Work").
    pub fn validate_applied(self, walk: Walk<'_, '_>) -> Result<(), Violations> {
        self.refuse(contradicts, walk)
    }

    /// Rejects an object with findings that count.
    fn refuse(self, which: Which, walk: Walk<'_, '_>) -> Result<(), Violations> {
        if !self.settings.unions {
            return Ok(());
        }
        let mut walk = |judge: &mut dyn Visitor| walk(&Place::root(&Indexes::default()), judge);
        judge(&mut walk, which, &mut |_| false).map(drop)
    }

    /// Normalizes the object that a server-side apply makes, as
    /// [`normalize_apply`](crate::normalize_apply) does. `walk` shows the merged object twice:
    /// against the stored object, then against the applied one.
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
