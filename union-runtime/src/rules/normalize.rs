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

/// A rule of normalization, which returns the intended changes. Its arguments are the spec of a
/// union, the state of the union, the state of the old union, if there is one, and the setting for
/// dropped members.
pub(crate) type NormalizeRule =
    fn(&UnionSpec<'_>, State<'_>, Option<State<'_>>, RestoreUnaware) -> NormalizePlan;

impl VisitorMut for Normalizer {
    #[cold]
    fn visit(&mut self, node: &mut dyn NodeMut, cursor: &Cursor<'_, '_>) {
        let path = &cursor.new;
        for union in 0..node.node().union_count() {
            let (new, mut own_spec) = (node.node(), None);
            let static_spec = new.static_spec(union);
            let spec = static_or_own_spec(static_spec, new, union, &mut own_spec);
            let (Some(spec), Some(state)) = (spec, new.state(union)) else {
                continue;
            };
            let old = node.old().and_then(|old| old.state(union));
            let plan = (self.rule)(spec, state, old, self.restore);
            let cleared = state.members_set() & !plan.keep;
            let touched = spec.positions(cleared | plan.restore | plan.select);
            self.apply(plan, cleared, touched, static_spec, (node, union), path);
        }
    }
}

/// Returns the spec of a union: the static spec of its type, if there is one, or else the spec of
/// the value, which is stored in `own_spec`. A spec is large, so a static spec is not copied.
#[inline]
fn static_or_own_spec<'n>(
    static_spec: Option<&'n UnionSpec<'n>>,
    node: &'n dyn Node,
    union: usize,
    own_spec: &'n mut Option<UnionSpec<'n>>,
) -> Option<&'n UnionSpec<'n>> {
    if static_spec.is_some() {
        return static_spec;
    }
    *own_spec = node.spec(union);
    own_spec.as_ref()
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
    /// clear. `touched` is the mask of the positions of all members to clear, restore or select.
    /// `static_spec` is the static spec of the union, if it has one.
    #[inline]
    fn apply(
        &mut self,
        plan: NormalizePlan,
        cleared: u64,
        mut touched: u64,
        static_spec: Option<&'static UnionSpec<'static>>,
        (node, union): (&mut dyn NodeMut, usize),
        path: &Path<'_>,
    ) {
        let old_len = self.changes.len();
        while touched != 0 {
            let i = touched.trailing_zeros() as usize;
            touched &= touched - 1;
            // The paths are computed first, because the code below changes the node, from which the
            // spec is borrowed.
            let mut own = None;
            let Some(spec) = static_or_own_spec(static_spec, node.node(), union, &mut own) else {
                continue;
            };
            let bit = spec.bit_of(i);
            let selected = spec.discriminator().filter(|_| plan.select & bit != 0);
            let selected = selected.map(|field| {
                let static_field = static_spec.and_then(UnionSpec::discriminator);
                path.child_path(field.name(), static_field.map(DiscriminatorSpec::name))
            });
            let member = spec
                .member(i)
                .filter(|_| (cleared | plan.restore) & bit != 0);
            let member = member.map(|field| {
                let static_field = static_spec.and_then(|spec| spec.member(i));
                path.child_path(field.name(), static_field.map(MemberSpec::name))
            });
            if let Some(path) = member {
                let (is_done, kind) = if cleared & bit != 0 {
                    (node.clear(union, i), ChangeKind::Cleared)
                } else {
                    (node.restore(union, i), ChangeKind::Restored)
                };
                if is_done {
                    self.changes.push(path, kind);
                }
            }
            if let Some(path) = selected {
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
    keep: u64,
    /// The bit of the member whose value the discriminator gets.
    select: u64,
    /// The bit of the member to restore from the old object.
    restore: u64,
    /// True if the unknown member of the old discriminator value must be removed.
    clears_unknown: bool,
}

impl NormalizePlan {
    const NOTHING: Self = Self::keep_only(u64::MAX);

    /// Returns the plan to keep one member, clear the others, and set the discriminator to the
    /// value of the member, unless it already has this value.
    fn follow(member: u64, state: State<'_>) -> Self {
        Self {
            select: member & !state.selected().bit(),
            ..Self::keep_only(member)
        }
    }

    const fn keep_only(keep: u64) -> Self {
        Self {
            keep,
            select: 0,
            restore: 0,
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
/// member that the applied discriminator names is kept.
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
        (set, _) => NormalizePlan::follow(set, merged),
    }
}

/// Returns the plan of the 2022 model. If the discriminator changed to a known value, all members
/// except the selected one are cleared. If this build does not know its old value, the member of
/// that value is cleared too: the unknown field whose name equals the value, ignoring ASCII case. A
/// missing or unknown new value changes nothing, so that no data is lost, and validation reports
/// the value.
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
    let bit = state.selected().bit();
    let was_dropped = old.members_set() & !state.members_set() & bit != 0;
    let is_restorable = match restore {
        RestoreUnaware::Off => false,
        RestoreUnaware::Required => spec.required_mask() & bit != 0,
        RestoreUnaware::All => true,
    };
    NormalizePlan {
        restore: if was_dropped && is_restorable { bit } else { 0 },
        ..NormalizePlan::NOTHING
    }
}

/// Returns the plan of the 2019 model. The first case that applies decides (2019 text, "Normalizing
/// on updates"):
///
/// 1. The discriminator changed to a value that its enum type, if any, contains: only the selected
///    member is kept.
/// 2. One member is set: the discriminator follows it.
/// 3. One member was added: the discriminator follows it, and the others are cleared.
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
    let added = state.members_set() & !old.members_set();
    let intended = if state.members_set().is_power_of_two() {
        state.members_set()
    } else if added.is_power_of_two() {
        added
    } else {
        return NormalizePlan::NOTHING;
    };
    NormalizePlan::follow(intended, state)
}
