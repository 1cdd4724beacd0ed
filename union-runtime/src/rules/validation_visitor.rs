//! The visitor that collects the errors of all nodes of a walk, split into new errors and tolerated
//! errors.

use std::cell::OnceCell;

use serde_json::Value;

use super::validate::{FailureInUnion, RuleFailure, rule_failures};
use crate::report::report::Report;
use crate::union_spec::UnionSpec;
use crate::view::{Cursor, Node, State, Visitor, has_equal_values};

/// A filter of findings.
pub(crate) type FailureFilter = fn(&UnionSpec<'_>, RuleFailure) -> bool;

/// The new object and the old object, as JSON; `None` if the type does not serialize. Nothing can
/// be shown to be unchanged then.
pub(crate) type JsonPair<'v> = Option<[&'v Value; 2]>;

/// A finding in the new object, its place, and the old state of the union.
pub(crate) struct LocatedFailure<'a, 'v> {
    failure: FailureInUnion<'a>,
    cursor: &'a Cursor<'a, 'v>,
    /// The state of the correlated old union. It is `None` if the union is in a list that the old
    /// object has too, but in an element that does not have an old element.
    old: Option<State<'a>>,
    /// The result of the comparison of the struct with the old struct, kept for all findings in the
    /// struct.
    is_unchanged: &'a OnceCell<bool>,
}

impl LocatedFailure<'_, '_> {
    /// Returns true if the old union has the same finding for the same reason. If there is no old
    /// union, returns true if the list around the union is unchanged.
    pub(crate) fn fails_for_same_reason<'o>(&self, objects: impl FnOnce() -> JsonPair<'o>) -> bool {
        match self.old {
            Some(old) => has_same_reason(self.failure, old),
            None => self.is_unchanged(objects()),
        }
    }

    /// Returns true if the struct that contains the union, or the list around the struct, is
    /// unchanged in these objects.
    pub(crate) fn is_unchanged(&self, objects: JsonPair<'_>) -> bool {
        let Some([new, old]) = objects else {
            return false;
        };
        match self.cursor.list {
            Some(list) => list.is_unchanged(new, old),
            None => *self
                .is_unchanged
                .get_or_init(|| has_equal_values(&self.cursor.new, new, &self.cursor.old, old)),
        }
    }
}

/// A visitor that reports the errors of nodes. It calls `tolerates` only if there is an old node,
/// or a list around the node that the old object has too.
pub(crate) struct ValidationVisitor<'t> {
    pub(crate) report: Report,
    pub(crate) filter: FailureFilter,
    pub(crate) tolerates: &'t mut dyn FnMut(&LocatedFailure<'_, '_>) -> bool,
}

impl Visitor for ValidationVisitor<'_> {
    fn visit(&mut self, new: &dyn Node, old: Option<&dyn Node>, at: &Cursor<'_, '_>) {
        let is_unchanged = OnceCell::new();
        for union in 0..new.union_count() {
            let (Some(spec), Some(state)) = (new.spec(union), new.state(union)) else {
                continue;
            };
            let declared = new.static_spec(union);
            let old = old.and_then(|old| old.state(union));
            let says_the_same = old.is_some_and(|old| old.selected() == state.selected());
            for finding in
                rule_failures(&spec, state).filter(|finding| (self.filter)(&spec, *finding))
            {
                let found = FailureInUnion {
                    failure: finding,
                    spec: &spec,
                    state,
                    is_unchanged: says_the_same,
                };
                let violation = found.violation(declared, &at.new);
                let is_tolerated = (old.is_some() || at.list.is_some())
                    && (self.tolerates)(&LocatedFailure {
                        failure: found,
                        cursor: at,
                        old,
                        is_unchanged: &is_unchanged,
                    });
                let parts = self.report.parts_mut();
                if is_tolerated {
                    parts.tolerated.push(violation);
                } else {
                    parts.errors.push(violation);
                }
            }
        }
    }
}

/// Returns true if the old union has the same finding for the same reason. In each case the
/// discriminator is unchanged, and
///
/// - for the discriminator: no member was added;
/// - for a member: the member is set in both, or in neither;
/// - for several set members: several were set, and no member was added;
/// - for a member that cannot be read: serde reports the same error.
///
/// The same rules apply to the old object, and equal states have equal findings, so `old` is not
/// validated again.
fn has_same_reason(found: FailureInUnion<'_>, old: State<'_>) -> bool {
    let new = found.state;
    if new.selected() != old.selected() {
        return false;
    }
    let changed = new.members_set() ^ old.members_set();
    let is_added = new.members_set() & !old.members_set() != 0;
    match found.failure {
        // A client that changes members must change the discriminator too (KEP-1027).
        RuleFailure::DiscriminatorMissing | RuleFailure::DiscriminatorUnsupported => !is_added,
        // An added member makes it a new error.
        RuleFailure::SeveralMembersSet => old.members_set().count_ones() > 1 && !is_added,
        RuleFailure::NoMemberSet => changed == 0,
        RuleFailure::MemberNotSelected(position) | RuleFailure::MemberUnset(position) => {
            changed & found.spec.bit_of(position) == 0
        }
        RuleFailure::MemberUnreadable => new.unreadable() == old.unreadable(),
    }
}
