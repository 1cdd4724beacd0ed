//! Normalization, which changes an object to what its client meant.

use super::settings::RestoreUnaware;
use crate::path::Path;
use crate::report::changes::{ChangeKind, Changes};
use crate::union_spec::{DiscriminatorSpec, MemberSpec, UnionSpec};
use crate::view::{Cursor, Node, NodeMut, Selected, State, VisitorMut};

/// A visitor that normalizes the unions of every node by one rule.
pub(crate) struct Normalizer {
    pub(crate) rule: NormalizeRule,
    restore: RestoreUnaware,
    pub(crate) changes: Changes,
}

/// A rule of normalization. Its arguments are the spec of a union, the state of the union, the
/// state of the old union, if there is an old union, and the setting for dropped members. It
/// returns the intended changes.
pub(crate) type NormalizeRule =
    fn(&UnionSpec<'_>, State<'_>, Option<State<'_>>, RestoreUnaware) -> NormalizePlan;

impl VisitorMut for Normalizer {
    #[cold]
    fn visit(&mut self, node: &mut dyn NodeMut, at: &Cursor<'_, '_>) {
        for union in 0..node.node().union_count() {
            let (new, mut read) = (node.node(), None);
            let declared = new.static_spec(union);
            let spec = static_or_own_spec(declared, new, union, &mut read);
            let (Some(spec), Some(state)) = (spec, new.state(union)) else {
                continue;
            };
            let old = node.old().and_then(|old| old.state(union));
            let intent = (self.rule)(spec, state, old, self.restore);
            let cleared = state.members_set() & !intent.keep;
            let touched = spec.positions(cleared | intent.restore | intent.select);
            self.apply(intent, cleared, touched, declared, (node, union), &at.new);
        }
    }
}

/// Returns the spec of a union: the static spec of a type, if there is one, or the spec that is
/// read from the value and stored in `read`. A spec is large, so the static spec is not copied.
#[inline]
fn static_or_own_spec<'n>(
    declared: Option<&'n UnionSpec<'n>>,
    node: &'n dyn Node,
    union: usize,
    read: &'n mut Option<UnionSpec<'n>>,
) -> Option<&'n UnionSpec<'n>> {
    if declared.is_some() {
        return declared;
    }
    *read = node.spec(union);
    read.as_ref()
}

/// Returns the value of the discriminator, if this build does not know the value.
fn unknown_value(node: Option<&dyn Node>, union: usize) -> Option<String> {
    match node?.state(union)?.selected() {
        Selected::Unknown(text) => Some(text.to_owned()),
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

    /// Makes the intended changes to a union and records them. `cleared` is the mask of the members
    /// to clear, `touched` the mask of the positions of all members to clear, restore or select,
    /// and `declared` the static spec of the union, if it has one.
    #[inline]
    fn apply(
        &mut self,
        intent: NormalizePlan,
        cleared: u64,
        mut touched: u64,
        declared: Option<&'static UnionSpec<'static>>,
        (node, union): (&mut dyn NodeMut, usize),
        path: &Path<'_>,
    ) {
        let before = self.changes.len();
        while touched != 0 {
            let i = touched.trailing_zeros() as usize;
            touched &= touched - 1;
            // The spec is borrowed from the node, which the code below changes, so the paths are
            // computed first.
            let mut read = None;
            let Some(spec) = static_or_own_spec(declared, node.node(), union, &mut read) else {
                continue;
            };
            let bit = spec.bit_of(i);
            let selected = spec.discriminator().filter(|_| intent.select & bit != 0);
            let selected = selected.map(|field| {
                let declared = declared.and_then(UnionSpec::discriminator);
                path.child_path(field.name(), declared.map(DiscriminatorSpec::name))
            });
            let member = spec
                .member(i)
                .filter(|_| (cleared | intent.restore) & bit != 0);
            let member = member.map(|field| {
                let declared = declared.and_then(|spec| spec.member(i));
                path.child_path(field.name(), declared.map(MemberSpec::name))
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
        if intent.clears_unknown
            && let Some(value) = unknown_value(node.old(), union)
        {
            for name in node.clear_unknown(&value) {
                self.changes
                    .push(path.field(&name).to_field_path(), ChangeKind::Cleared);
            }
        }
        if self.changes.len() > before {
            node.on_change();
        }
    }
}

/// The changes that normalization intends for a union.
#[derive(Clone, Copy)]
pub(crate) struct NormalizePlan {
    /// The members that are not to be cleared.
    keep: u64,
    /// The member whose value the discriminator gets.
    select: u64,
    /// The member to restore from the old object.
    restore: u64,
    /// True if the member of the old discriminator value, which this build does not know, must be
    /// removed.
    clears_unknown: bool,
}

impl NormalizePlan {
    const NOTHING: Self = Self::only(u64::MAX);

    /// Returns the intent to keep one member, clear the others, and set the discriminator to the
    /// value of the member, unless the discriminator already has this value.
    fn follow(member: u64, state: State<'_>) -> Self {
        Self {
            select: member & !state.selected().bit(),
            ..Self::only(member)
        }
    }

    const fn only(keep: u64) -> Self {
        Self {
            keep,
            select: 0,
            restore: 0,
            clears_unknown: false,
        }
    }
}

/// Returns the intended changes for a create, update or patch (`docs/design.md`, "Normalization").
/// Without an old object, the request is a create.
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

/// Returns the intended changes of a merged object against the stored object. Only unions of the
/// 2022 model are changed.
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

/// Returns the intended changes of a merged object against the applied object. Only unions of the
/// 2019 model are changed: the only member that was applied is kept, or, if no member was applied,
/// the member that the applied discriminator names.
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
        (0, selected) => NormalizePlan::only(selected.bit()),
        (set, _) => NormalizePlan::follow(set, merged),
    }
}

/// Returns the intended changes by the 2022 model. A discriminator that changed to a known value
/// clears every member but the selected one. If its old value is unknown to this build, the member
/// of that value is also cleared: the unknown field whose name is the old value, ASCII case
/// ignored. A missing or unknown new value changes nothing: validation reports it, and no data is
/// lost.
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
            ..NormalizePlan::only(state.selected().bit())
        };
    }
    let bit = state.selected().bit();
    let was_dropped = old.members_set() & !state.members_set() & bit != 0;
    let comes_back = match restore {
        RestoreUnaware::Off => false,
        RestoreUnaware::Required => spec.required_mask() & bit != 0,
        RestoreUnaware::All => true,
    };
    NormalizePlan {
        restore: if was_dropped && comes_back { bit } else { 0 },
        ..NormalizePlan::NOTHING
    }
}

/// Returns the intended changes by the 2019 model; the first case that applies decides (2019 text,
/// "Normalizing on updates"):
///
/// 1. the discriminator changed to a value, which its enum type, if it has one, must contain: only
///    the selected member is kept;
/// 2. one member is set: the discriminator follows it;
/// 3. one member was added: the discriminator follows it, and the others are cleared;
/// 4. otherwise, the object is unchanged, and validation rejects it if several members are set.
///
/// A value that the enum type does not have changes nothing, so that validation rejects it and no
/// data is lost. A removed discriminator is not a change: clients that do not know the field drop
/// it.
fn follow_members(spec: &UnionSpec<'_>, state: State<'_>, old: State<'_>) -> NormalizePlan {
    if state.has_unsupported_value(spec) {
        return NormalizePlan::NOTHING;
    }
    let selected = state.selected();
    if selected != Selected::Missing && selected != old.selected() {
        return NormalizePlan::only(selected.bit());
    }
    let added = state.members_set() & !old.members_set();
    let meant = if state.members_set().is_power_of_two() {
        state.members_set()
    } else if added.is_power_of_two() {
        added
    } else {
        return NormalizePlan::NOTHING;
    };
    NormalizePlan::follow(meant, state)
}
