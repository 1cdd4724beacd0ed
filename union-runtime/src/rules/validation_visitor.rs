//! The visitor that collects the errors of all nodes of a walk, split into new errors and tolerated
//! errors.

use std::cell::OnceCell;

use serde_json::Value;

use super::validate::{FailureInUnion, RuleFailure, rule_failures};
use crate::report::report::Report;
use crate::union_spec::UnionSpec;
use crate::view::{Cursor, Node, State, Visitor, has_equal_values};

/// A filter of failures.
pub(crate) type FailureFilter = fn(&UnionSpec<'_>, RuleFailure) -> bool;

/// The new object and the old object as JSON, or `None` if the type cannot be serialized. No value
/// counts as unchanged then.
pub(crate) type JsonPair<'v> = Option<[&'v Value; 2]>;

/// A failure in the new object, with its cursor and the old state of the union.
pub(crate) struct LocatedFailure<'a, 'v> {
    failure: FailureInUnion<'a>,
    cursor: &'a Cursor<'a, 'v>,
    /// The state of the correlated old union. It is `None` if the union is in an element without an
    /// old element, of a list that the old object has too.
    old: Option<State<'a>>,
    /// The result of the comparison of the struct with the old struct, which all failures in the
    /// struct share.
    is_unchanged: &'a OnceCell<bool>,
}

impl LocatedFailure<'_, '_> {
    /// Returns true if the old union has the same failure for the same reason. If there is no old
    /// union, returns true if the list around the union is unchanged.
    pub(crate) fn fails_for_same_reason<'o>(&self, objects: impl FnOnce() -> JsonPair<'o>) -> bool {
        match self.old {
            Some(old) => has_same_reason(self.failure, old),
            None => self.is_unchanged(objects()),
        }
    }

    /// Returns true if the struct with the union is unchanged in these objects, or the list around
    /// it, if the struct has no old struct.
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
/// or if the old object has the list around the node too.
pub(crate) struct ValidationVisitor<'t> {
    pub(crate) report: Report,
    pub(crate) filter: FailureFilter,
    pub(crate) tolerates: &'t mut dyn FnMut(&LocatedFailure<'_, '_>) -> bool,
}

impl Visitor for ValidationVisitor<'_> {
    fn visit(&mut self, new: &dyn Node, old: Option<&dyn Node>, cursor: &Cursor<'_, '_>) {
        let is_unchanged = OnceCell::new();
        for union in 0..new.union_count() {
            let (Some(spec), Some(state)) = (new.spec(union), new.state(union)) else {
                continue;
            };
            let static_spec = new.static_spec(union);
            let old = old.and_then(|old| old.state(union));
            let is_unchanged_value = old.is_some_and(|old| old.selected() == state.selected());
            let failures = rule_failures(&spec, state);
            for failure in failures.filter(|failure| (self.filter)(&spec, *failure)) {
                let failure = FailureInUnion {
                    failure,
                    spec: &spec,
                    state,
                    is_unchanged: is_unchanged_value,
                };
                let violation = failure.violation(static_spec, &cursor.new);
                let is_tolerated = (old.is_some() || cursor.list.is_some())
                    && (self.tolerates)(&LocatedFailure {
                        failure,
                        cursor,
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

/// Returns true if the old union has the same failure for the same reason. The discriminator must
/// be unchanged. Further conditions depend on the failure:
///
/// - The discriminator: no member was added.
/// - A member: the member is set in both unions, or in neither.
/// - Several set members: several were set, and no member was added.
/// - A member that cannot be read: serde reports the same error.
///
/// `old` is not validated, because equal states have equal failures.
fn has_same_reason(failure: FailureInUnion<'_>, old: State<'_>) -> bool {
    let new = failure.state;
    if new.selected() != old.selected() {
        return false;
    }
    let changed = new.members_set() ^ old.members_set();
    let is_added = new.members_set() & !old.members_set() != 0;
    match failure.failure {
        // A client that changes members must change the discriminator too (KEP-1027).
        RuleFailure::DiscriminatorMissing | RuleFailure::DiscriminatorUnsupported => !is_added,
        // An added member makes a new error.
        RuleFailure::SeveralMembersSet => old.members_set().count_ones() > 1 && !is_added,
        RuleFailure::NoMemberSet => changed == 0,
        RuleFailure::MemberNotSelected(position) | RuleFailure::MemberUnset(position) => {
            changed & failure.spec.bit_of(position) == 0
        }
        RuleFailure::MemberUnreadable => new.unreadable() == old.unreadable(),
    }
}
