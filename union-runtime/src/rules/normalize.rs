//! Normalization: the object says what its client meant.

use std::borrow::Cow;

use super::restore_unaware::RestoreUnaware;
use crate::report::changes::{ChangeKind, Changes};
use crate::spec::UnionSpec;
use crate::spec::discriminator::DiscriminatorSpec;
use crate::spec::members::MemberSpec;
use crate::state::{Selected, State};
use crate::walk::node::{NodeMut, VisitorMut};
use crate::walk::path::Path;
use crate::walk::place::Place;

/// Normalizes the unions of every node that it is shown, by one rule.
pub(crate) struct Normalizer {
    pub(crate) rule: Rule,
    restore: RestoreUnaware,
    pub(crate) changes: Changes,
}

/// What is to be done with a union: its state, and that of the object that it is compared with, if there is one.
pub(crate) type Rule = fn(&UnionSpec<'_>, State<'_>, Option<State<'_>>, RestoreUnaware) -> Intent;

impl VisitorMut for Normalizer {
    #[cold]
    fn visit(&mut self, node: &mut dyn NodeMut, at: &Place<'_>) {
        for union in 0..node.node().union_count() {
            let new = node.node();
            let declared = new.declared(union);
            let read;
            let spec = match declared {
                Some(spec) => spec,
                None => match new.spec(union) {
                    Some(spec) => {
                        read = spec;
                        &read
                    }
                    None => continue,
                },
            };
            let Some(state) = new.state(union) else {
                continue;
            };
            let old = node.old().and_then(|old| old.state(union));
            let intent = (self.rule)(spec, state, old, self.restore);
            let touched = Touched::of(spec, state, &intent);
            if touched.all() != 0 || intent.unknown.is_some() {
                let names = Names { union, declared };
                self.apply(touched, intent.unknown, node, names, &at.new);
            }
        }
    }
}

/// The members of a union that something is to be done with: bit i stands for the one at position i.
#[derive(Clone, Copy)]
struct Touched {
    cleared: u64,
    restored: u64,
    selected: u64,
}

impl Touched {
    fn of(spec: &UnionSpec<'_>, state: State<'_>, intent: &Intent) -> Self {
        let cleared = state.members_set() & !intent.keep;
        let mut touched = Self {
            cleared: 0,
            restored: 0,
            selected: 0,
        };
        let any = cleared | intent.restore | intent.select;
        let end = if any == 0 { 0 } else { spec.member_count() };
        for position in 0..end {
            let bit = spec.bit_of(position);
            if any & bit != 0 {
                let here = |mask: u64| u64::from(mask & bit != 0) << position;
                touched.cleared |= here(cleared);
                touched.restored |= here(intent.restore & !cleared);
                touched.selected |= here(intent.select);
            }
        }
        touched
    }

    const fn all(self) -> u64 {
        self.cleared | self.restored | self.selected
    }
}

/// What the fields of a union are called.
#[derive(Clone, Copy)]
struct Names {
    union: usize,
    /// Where a type says it, which is there for good.
    declared: Option<&'static UnionSpec<'static>>,
}

/// The name of a field of a union: of the member at a position, or of the discriminator.
type Name = for<'s> fn(&UnionSpec<'s>, usize) -> Option<&'s str>;

fn member_name<'s>(spec: &UnionSpec<'s>, position: usize) -> Option<&'s str> {
    spec.member(position).map(MemberSpec::name)
}

fn discriminator_name<'s>(spec: &UnionSpec<'s>, _: usize) -> Option<&'s str> {
    spec.discriminator().map(DiscriminatorSpec::name)
}

impl Names {
    /// The path of a field. What a value says of its unions is borrowed from what is about to be changed, so it is written down.
    fn path(
        self,
        node: &dyn NodeMut,
        path: &Path<'_>,
        name: Name,
        position: usize,
    ) -> Option<Cow<'static, str>> {
        if let Some(spec) = self.declared {
            let name = name(spec, position)?;
            return Some(path.below(name, Some(name)));
        }
        let spec = node.node().spec(self.union)?;
        Some(path.below(name(&spec, position)?, None))
    }
}

impl Normalizer {
    pub(crate) fn new(rule: Rule, restore: RestoreUnaware) -> Self {
        Self {
            rule,
            restore,
            changes: Changes::default(),
        }
    }

    /// Does what is intended with a union; `unknown` is the value whose member nobody here knows, and that is to go.
    fn apply(
        &mut self,
        touched: Touched,
        unknown: Option<String>,
        node: &mut dyn NodeMut,
        names: Names,
        path: &Path<'_>,
    ) {
        let union = names.union;
        let before = self.changes.len();
        let mut left = touched.all();
        self.changes.expect(left.count_ones());
        while left != 0 {
            let i = left.trailing_zeros() as usize;
            left &= left - 1;
            let bit = 1 << i;
            let is_member = (touched.cleared | touched.restored) & bit != 0;
            if is_member && let Some(path) = names.path(node, path, member_name, i) {
                if touched.cleared & bit != 0 {
                    node.clear(union, i);
                    self.changes.push(path, ChangeKind::Cleared);
                } else if node.restore(union, i) {
                    self.changes.push(path, ChangeKind::Restored);
                }
            }
            if touched.selected & bit != 0
                && let Some(path) = names.path(node, path, discriminator_name, i)
            {
                node.select(union, i);
                self.changes.push(path, ChangeKind::Set);
            }
        }
        if let Some(value) = unknown {
            for name in node.clear_unknown(&value) {
                let path = path.field(&name).to_string();
                self.changes.push(path.into(), ChangeKind::Cleared);
            }
        }
        if self.changes.len() > before {
            node.changed();
        }
    }
}

/// What normalization is to do with a union.
pub(crate) struct Intent {
    /// The members that may stay.
    keep: u64,
    /// The member whose value the discriminator is to have.
    select: u64,
    /// The member that is to be put back.
    restore: u64,
    /// The value, unknown here, whose member is to go.
    unknown: Option<String>,
}

impl Intent {
    const NOTHING: Self = Self::only(u64::MAX);

    /// The discriminator is to follow this one member, and says so in many cases.
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
            unknown: None,
        }
    }
}

/// The rule for creates, updates and patches (DESIGN 5); an object without an old one is created.
pub(crate) fn by_model(
    spec: &UnionSpec<'_>,
    new: State<'_>,
    old: Option<State<'_>>,
    restore: RestoreUnaware,
) -> Intent {
    if spec.is_selected_by_discriminator() {
        follow_discriminator(spec, new, old, restore)
    } else {
        follow_members(spec, new, old.unwrap_or(State::EMPTY))
    }
}

/// The rule for what was merged, against what is live: the 2022 model's alone.
pub(crate) fn by_live(
    spec: &UnionSpec<'_>,
    merged: State<'_>,
    live: Option<State<'_>>,
    restore: RestoreUnaware,
) -> Intent {
    if spec.is_selected_by_discriminator() {
        follow_discriminator(spec, merged, live, restore)
    } else {
        Intent::NOTHING
    }
}

/// The rule for what was merged, against what was applied: the 2019 model's alone. One member that was applied, or a
/// discriminator alone, is what is meant.
pub(crate) fn by_applied(
    spec: &UnionSpec<'_>,
    merged: State<'_>,
    applied: Option<State<'_>>,
    _: RestoreUnaware,
) -> Intent {
    let Some(applied) = applied.filter(|_| !spec.is_selected_by_discriminator()) else {
        return Intent::NOTHING;
    };
    match (applied.members_set(), applied.selected()) {
        (0, Selected::Missing) => Intent::NOTHING,
        (0, selected) => Intent::only(selected.bit()),
        (set, _) => Intent::follow(set, merged),
    }
}

/// The 2022 model: a discriminator that changed to a known value clears every member but the selected one; if it comes
/// from a value that is not known here, the member of that value is the field that is called so, but for case. A value
/// that is missing or not known changes nothing: validation refuses it loudly, and nothing is lost.
fn follow_discriminator(
    spec: &UnionSpec<'_>,
    state: State<'_>,
    old: Option<State<'_>>,
    restore: RestoreUnaware,
) -> Intent {
    let (Selected::Known(_), Some(old)) = (state.selected(), old) else {
        return Intent::NOTHING;
    };
    if old.selected() != state.selected() {
        let unknown = match old.selected() {
            Selected::Unknown(text) => Some(text.to_owned()),
            _ => None,
        };
        return Intent {
            unknown,
            ..Intent::only(state.selected().bit())
        };
    }
    let bit = state.selected().bit();
    let was_dropped = old.members_set() & !state.members_set() & bit != 0;
    let comes_back = match restore {
        RestoreUnaware::Off => false,
        RestoreUnaware::Required => spec.required_mask() & bit != 0,
        RestoreUnaware::All => true,
    };
    Intent {
        restore: if was_dropped && comes_back { bit } else { 0 },
        ..Intent::NOTHING
    }
}

/// The 2019 model, first match wins (2019 text, "Normalizing on updates"):
///
/// 1. the discriminator changed to a value, that its enum type has if it is one: only the selected member stays;
/// 2. one member is set: the discriminator follows it;
/// 3. one member was added: the discriminator follows it, the others go;
/// 4. all stays as it is, so that validation fails.
///
/// A value that the enum type has not stays, so that validation refuses it and nothing is lost. A discriminator that was
/// removed is not a change: clients that do not know it drop it.
fn follow_members(spec: &UnionSpec<'_>, state: State<'_>, old: State<'_>) -> Intent {
    if state.is_refused(spec) {
        return Intent::NOTHING;
    }
    let selected = state.selected();
    if selected != Selected::Missing && selected != old.selected() {
        return Intent::only(selected.bit());
    }
    let added = state.members_set() & !old.members_set();
    let meant = if state.members_set().is_power_of_two() {
        state.members_set()
    } else if added.is_power_of_two() {
        added
    } else {
        return Intent::NOTHING;
    };
    Intent::follow(meant, state)
}
