//! The visitor that collects the errors of all nodes of a walk, split into new errors and tolerated
//! errors.

use std::cell::OnceCell;

use serde_json::Value;

use super::validate::{FailureInUnion, RuleFailure, rule_failures};
use crate::report::report::Report;
use crate::view::{Cursor, Node, State, Visitor, are_equal_at};

/// A filter of failures.
pub(crate) type FailureFilter = fn(&FailureInUnion<'_>) -> bool;

/// The new object and the old object as JSON. `None` if the type cannot be serialized: all values
/// then count as changed.
pub(crate) type JsonPair<'v> = Option<[&'v Value; 2]>;

/// A failure in the new object, with its cursor and the old state of the union.
pub(crate) struct LocatedFailure<'a, 'v> {
    failure: FailureInUnion<'a>,
    cursor: &'a Cursor<'a, 'v>,
    /// The state of the correlated old union. `None` if there is no such union, because an element
    /// around the union is new. The cursor then has an atomic list.
    old_state: Option<State<'a>>,
    /// The result of the comparison of the struct with the old struct, which all failures in the
    /// struct share.
    struct_is_unchanged: &'a OnceCell<bool>,
}

impl LocatedFailure<'_, '_> {
    /// Returns true if the old union has the same failure for the same reason. If there is no old
    /// union, returns true if the list around the union is unchanged.
    pub(crate) fn fails_for_same_reason<'o>(&self, objects: impl FnOnce() -> JsonPair<'o>) -> bool {
        match self.old_state {
            Some(old_state) => has_same_reason(self.failure, old_state),
            None => self.is_unchanged(objects()),
        }
    }

    /// Returns true if the struct with the union is unchanged in these objects. If the struct has
    /// no old struct, returns true if the list around the struct is unchanged.
    pub(crate) fn is_unchanged(&self, objects: JsonPair<'_>) -> bool {
        let Some(objects) = objects else {
            return false;
        };
        let paths = [&self.cursor.new_path, &self.cursor.old_path];
        let compare = || are_equal_at(paths, objects);
        match self.cursor.atomic_list {
            Some(list) => list.is_unchanged(objects),
            None => *self.struct_is_unchanged.get_or_init(compare),
        }
    }
}

/// A visitor that reports the errors of nodes. The visitor calls `tolerates` only if there is an
/// old union, or if the cursor has an atomic list.
pub(crate) struct ValidationVisitor<'t> {
    pub(crate) report: Report,
    pub(crate) filter: FailureFilter,
    pub(crate) tolerates: &'t mut dyn FnMut(&LocatedFailure<'_, '_>) -> bool,
}

impl Visitor for ValidationVisitor<'_> {
    fn visit(&mut self, new: &dyn Node, old: Option<&dyn Node>, cursor: &Cursor<'_, '_>) {
        let struct_is_unchanged = OnceCell::new();
        for union in 0..new.union_count() {
            let (Some(spec), Some(state)) = (new.spec(union), new.state(union)) else {
                continue;
            };
            let static_spec = new.static_spec(union);
            let old_state = old.and_then(|old| old.state(union));
            let keeps_discriminator = old_state.map(|old| old.selected()) == Some(state.selected());
            let failures = rule_failures(&spec, state).map(|rule_failure| FailureInUnion {
                rule_failure,
                spec: &spec,
                state,
                keeps_discriminator,
            });
            for failure in failures.filter(self.filter) {
                let violation = failure.violation(static_spec, cursor.path());
                let is_tolerated = (old_state.is_some() || cursor.atomic_list.is_some())
                    && (self.tolerates)(&LocatedFailure {
                        failure,
                        cursor,
                        old_state,
                        struct_is_unchanged: &struct_is_unchanged,
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
/// - The discriminator, or several set members: no member was added.
/// - A member: the member is set in both unions, or in neither.
/// - No set member, although one is required: no member was set.
/// - A member that cannot be read: serde reports the same error.
///
/// `old` is not validated, because equal states have equal failures.
fn has_same_reason(failure: FailureInUnion<'_>, old: State<'_>) -> bool {
    let new = failure.state;
    let changed_members = new.members_set() ^ old.members_set();
    let adds_member = new.members_set() & !old.members_set() != 0;
    let is_same_failure = match failure.rule_failure {
        // A client that changes members must change the discriminator too (KEP-1027).
        RuleFailure::DiscriminatorMissing
        | RuleFailure::DiscriminatorUnsupported
        | RuleFailure::SeveralMembersSet => !adds_member,
        RuleFailure::NoMemberSet => changed_members == 0,
        RuleFailure::MemberNotSelected(position) | RuleFailure::MemberUnset(position) => {
            changed_members & failure.spec.bit_of(position) == 0
        }
        RuleFailure::MemberUnreadable => new.unreadable_member() == old.unreadable_member(),
    };
    new.selected() == old.selected() && is_same_failure
}
