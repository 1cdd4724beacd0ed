//! Normalization, which changes an object to what its client meant.

use super::settings::RestoreUnaware;
use crate::path::Path;
use crate::report::changes::{ChangeKind, Changes};
use crate::union_spec::{DiscriminatorSpec, MemberSpec, UnionSpec};
use crate::view::{Cursor, Node, NodeMut, Selected, State, VisitorMut};

/// A visitor that normalizes the unions of every node by a rule.
pub(crate) struct Normalizer {
    pub(crate) rule: NormalizeRule,
    restore: RestoreUnaware,
    pub(crate) changes: Changes,
}

/// A rule of normalization: a function that returns the intended changes. The arguments are the
/// spec of a union, the state of the union, the state of the old union, if there is one, and the
/// setting for dropped members.
pub(crate) type NormalizeRule =
    fn(&UnionSpec<'_>, State<'_>, Option<State<'_>>, RestoreUnaware) -> NormalizePlan;

impl VisitorMut for Normalizer {
    #[cold]
    fn visit(&mut self, node: &mut dyn NodeMut, cursor: &Cursor<'_, '_>) {
        let path = cursor.path();
        for union in 0..node.node().union_count() {
            let (new, mut spec_copy) = (node.node(), None);
            let static_spec = new.static_spec(union);
            let spec = spec_or_copy(static_spec, new, union, &mut spec_copy);
            let (Some(spec), Some(state)) = (spec, new.state(union)) else {
                continue;
            };
            let old_state = node.old().and_then(|old| old.state(union));
            let plan = (self.rule)(spec, state, old_state, self.restore);
            let cleared = state.members_set() & !plan.kept_members;
            let positions = spec.positions(cleared | plan.restored_member | plan.selected_member);
            self.apply(plan, cleared, positions, static_spec, (node, union), path);
        }
    }
}

/// Returns the spec of a union: the static spec of its type, if there is one, or else the spec of
/// the node, which is stored in `spec_copy`. A spec is large, so a static spec is not copied.
#[inline]
fn spec_or_copy<'n>(
    static_spec: Option<&'n UnionSpec<'n>>,
    node: &'n dyn Node,
    union: usize,
    spec_copy: &'n mut Option<UnionSpec<'n>>,
) -> Option<&'n UnionSpec<'n>> {
    static_spec.or_else(|| {
        *spec_copy = node.spec(union);
        spec_copy.as_ref()
    })
}

/// Returns the value of the discriminator, if this build does not know the value.
fn unknown_value(node: Option<&dyn Node>, union: usize) -> Option<String> {
    match node?.state(union)?.selected() {
        Selected::Unknown(value) => Some(value.to_owned()),
        _ => None,
    }
}

impl Normalizer {
    pub(crate) fn new(rule: NormalizeRule, restore: RestoreUnaware) -> Self {
        Self {
            rule,
            restore,
            changes: Changes::default(),
        }
    }

    /// Applies a plan to a union, and records the changes. `cleared` is the mask of the members to
    /// clear. `positions` is the mask of the positions of all members to clear, restore or select.
    /// `static_spec` is the static spec of the union, if the union has one.
    #[inline]
    fn apply(
        &mut self,
        plan: NormalizePlan,
        cleared: u64,
        mut positions: u64,
        static_spec: Option<&'static UnionSpec<'static>>,
        (node, union): (&mut dyn NodeMut, usize),
        path: &Path<'_>,
    ) {
        let old_len = self.changes.len();
        while positions != 0 {
            let i = positions.trailing_zeros() as usize;
            positions &= positions - 1;
            // The paths are computed first, because the code below changes the node, from which the
            // spec is borrowed.
            let mut spec_copy = None;
            let Some(spec) = spec_or_copy(static_spec, node.node(), union, &mut spec_copy) else {
                continue;
            };
            let bit = spec.bit_of(i);
            let is_selected = plan.selected_member & bit != 0;
            let discriminator = spec.discriminator().filter(|_| is_selected);
            let discriminator_path = discriminator.map(|field| {
                let static_field = static_spec.and_then(UnionSpec::discriminator);
                path.child_path(field.name(), static_field.map(DiscriminatorSpec::name))
            });
            let is_changed = (cleared | plan.restored_member) & bit != 0;
            let member = spec.member(i).filter(|_| is_changed);
            let member_path = member.map(|field| {
                let static_field = static_spec.and_then(|spec| spec.member(i));
                path.child_path(field.name(), static_field.map(MemberSpec::name))
            });
            if let Some(path) = member_path {
                let (is_done, kind) = if cleared & bit != 0 {
                    (node.clear(union, i), ChangeKind::Cleared)
                } else {
                    (node.restore(union, i), ChangeKind::Restored)
                };
                if is_done {
                    self.changes.push(path, kind);
                }
            }
            if let Some(path) = discriminator_path {
                node.select(union, i);
                let state = node.node().state(union);
                if state.is_some_and(|state| state.selected().bit() & bit != 0) {
                    self.changes.push(path, ChangeKind::Set);
                }
            }
        }
        if plan.clears_unknown
            && let Some(value) = unknown_value(node.old(), union)
        {
            for name in node.clear_unknown(&value) {
                self.changes
                    .push(path.field(&name).to_field_path(), ChangeKind::Cleared);
            }
        }
        if self.changes.len() > old_len {
            node.on_change();
        }
    }
}

/// The changes that normalization intends for a union.
#[derive(Clone, Copy)]
pub(crate) struct NormalizePlan {
    /// The mask of the members that are not cleared.
    kept_members: u64,
    /// The bit of the member whose value the discriminator gets, or 0.
    selected_member: u64,
    /// The bit of the member to restore from the old object, or 0.
    restored_member: u64,
    /// True if the unknown member of the old discriminator value must be removed.
    clears_unknown: bool,
}

impl NormalizePlan {
    const NOTHING: Self = Self::keep_only(u64::MAX);

    /// Returns the plan to keep one member, clear the others, and set the discriminator to the
    /// value of the member, unless it already has this value.
    fn follow(member: u64, state: State<'_>) -> Self {
        Self {
            selected_member: member & !state.selected().bit(),
            ..Self::keep_only(member)
        }
    }

    /// Returns the plan to clear all members except these.
    const fn keep_only(kept_members: u64) -> Self {
        Self {
            kept_members,
            selected_member: 0,
            restored_member: 0,
            clears_unknown: false,
        }
    }
}

/// Returns the plan for a create, an update or a patch (`docs/design.md`, "Normalization"). Without
/// an old object, the request is a create.
pub(crate) fn plan_by_model(
    spec: &UnionSpec<'_>,
    new: State<'_>,
    old: Option<State<'_>>,
    restore: RestoreUnaware,
) -> NormalizePlan {
    if spec.is_selected_by_discriminator() {
        follow_discriminator(spec, new, old, restore)
    } else {
        follow_members(spec, new, old.unwrap_or(State::EMPTY))
    }
}

/// Returns the plan for a merged object, compared with the stored object. Only unions of the 2022
/// model are changed.
pub(crate) fn plan_against_live(
    spec: &UnionSpec<'_>,
    merged: State<'_>,
    live: Option<State<'_>>,
    restore: RestoreUnaware,
) -> NormalizePlan {
    if spec.is_selected_by_discriminator() {
        follow_discriminator(spec, merged, live, restore)
    } else {
        NormalizePlan::NOTHING
    }
}

/// Returns the plan for a merged object, compared with the applied object. Only unions of the 2019
/// model are changed: the only member that was applied is kept. If no member was applied, the
/// member that the applied discriminator names is kept. The last argument is unused: as a
/// [`NormalizeRule`], the function must have it.
pub(crate) fn plan_against_applied(
    spec: &UnionSpec<'_>,
    merged: State<'_>,
    applied: Option<State<'_>>,
    _: RestoreUnaware,
) -> NormalizePlan {
    let Some(applied) = applied.filter(|_| !spec.is_selected_by_discriminator()) else {
        return NormalizePlan::NOTHING;
    };
    match (applied.members_set(), applied.selected()) {
        (0, Selected::Missing) => NormalizePlan::NOTHING,
        (0, selected) => NormalizePlan::keep_only(selected.bit()),
        (applied_members, _) => NormalizePlan::follow(applied_members, merged),
    }
}

/// Returns the plan of the 2022 model. If the discriminator changed to a known value, all members
/// except the selected member are cleared. If this build does not know the old value, the member of
/// the old value is cleared too: the unknown field whose name equals the value, ignoring ASCII
/// case. A missing or unknown new value changes nothing, so that no data is lost. Validation then
/// reports the discriminator.
fn follow_discriminator(
    spec: &UnionSpec<'_>,
    state: State<'_>,
    old: Option<State<'_>>,
    restore: RestoreUnaware,
) -> NormalizePlan {
    let (Selected::Known(_), Some(old)) = (state.selected(), old) else {
        return NormalizePlan::NOTHING;
    };
    if old.selected() != state.selected() {
        return NormalizePlan {
            clears_unknown: matches!(old.selected(), Selected::Unknown(_)),
            ..NormalizePlan::keep_only(state.selected().bit())
        };
    }
    let dropped_members = old.members_set() & !state.members_set();
    let restorable_members = match restore {
        RestoreUnaware::Off => 0,
        RestoreUnaware::Required => spec.required_mask(),
        RestoreUnaware::All => u64::MAX,
    };
    NormalizePlan {
        restored_member: state.selected().bit() & dropped_members & restorable_members,
        ..NormalizePlan::NOTHING
    }
}

/// Returns the plan of the 2019 model. The first case that applies decides (2019 text, "Normalizing
/// on updates"):
///
/// 1. The discriminator changed to a value that its enum type, if any, contains: only the selected
///    member is kept.
/// 2. One member is set: the discriminator follows this member.
/// 3. One member was added: the discriminator follows this member, and the others are cleared.
/// 4. Otherwise, the object is unchanged, and validation rejects it if several members are set.
///
/// A value that is not in the enum type changes nothing, so that no data is lost, and validation
/// rejects the value. A removed discriminator does not count as a change, because clients that do
/// not know the field drop it.
fn follow_members(spec: &UnionSpec<'_>, state: State<'_>, old: State<'_>) -> NormalizePlan {
    if state.has_unsupported_value(spec) {
        return NormalizePlan::NOTHING;
    }
    let selected = state.selected();
    if selected != Selected::Missing && selected != old.selected() {
        return NormalizePlan::keep_only(selected.bit());
    }
    let added_members = state.members_set() & !old.members_set();
    let intended_member = if state.members_set().is_power_of_two() {
        state.members_set()
    } else if added_members.is_power_of_two() {
        added_members
    } else {
        return NormalizePlan::NOTHING;
    };
    NormalizePlan::follow(intended_member, state)
}
