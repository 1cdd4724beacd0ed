//! Normalization: the object says what its client meant.

use core::fmt;

use crate::lookup::MOST_VALUES;
use crate::path::Path;
use crate::spec::UnionSpec;
use crate::view::{Node, Selected, State};
use crate::walk::{Place, VisitorMut};

/// What normalization changed: unions in source order, and of each the cleared members before the discriminator.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[must_use = "it says what the object lost"]
pub struct Changes {
    changes: Vec<Change>,
}

/// A field that normalization changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    path: String,
    kind: ChangeKind,
}

/// What normalization did to a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ChangeKind {
    /// The member was set and is not any more.
    Cleared,
    /// The discriminator was set to the value of a member.
    Set,
}

impl Changes {
    /// Whether nothing was changed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }

    /// How many fields were changed.
    #[must_use]
    pub fn len(&self) -> usize {
        self.changes.len()
    }

    /// The changes, in the order of the unions.
    pub fn iter(&self) -> core::slice::Iter<'_, Change> {
        self.changes.iter()
    }

    /// The paths of the members that were cleared.
    pub fn cleared(&self) -> impl Iterator<Item = &str> {
        self.paths(ChangeKind::Cleared)
    }

    /// The paths of the discriminators that were set. Whoever sent the object owns them now (2019 text, "Normalizing on
    /// updates"): add them to its managed fields.
    pub fn set(&self) -> impl Iterator<Item = &str> {
        self.paths(ChangeKind::Set)
    }

    fn paths(&self, kind: ChangeKind) -> impl Iterator<Item = &str> {
        let changes = self.iter().filter(move |change| change.kind == kind);
        changes.map(Change::path)
    }

    fn push(&mut self, path: Path<'_>, kind: ChangeKind) {
        self.changes.push(Change {
            path: path.to_string(),
            kind,
        });
    }

    /// The same changes, seen from an object that holds this one in `field`, such as `spec.strategy`.
    pub fn under(mut self, field: &str) -> Self {
        for change in &mut self.changes {
            change.path = crate::violation::join(field, &change.path);
        }
        self
    }
}

impl<'a> IntoIterator for &'a Changes {
    type Item = &'a Change;
    type IntoIter = core::slice::Iter<'a, Change>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl Change {
    /// Where the field is, as `spec.strategy.rollingUpdate`.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// What was done to it.
    #[must_use]
    pub const fn kind(&self) -> ChangeKind {
        self.kind
    }
}

/// One line a change.
impl fmt::Display for Changes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, change) in self.changes.iter().enumerate() {
            if i > 0 {
                f.write_str("\n")?;
            }
            write!(f, "{change}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            ChangeKind::Cleared => write!(f, "{}: cleared", self.path),
            ChangeKind::Set => write!(f, "{}: set", self.path),
        }
    }
}

/// Normalizes the unions of every node that it is shown, by one rule.
pub(crate) struct Normalizer {
    pub(crate) rule: Rule,
    pub(crate) changes: Changes,
}

/// What is to be done with a union: its state, and that of the object that it is compared with, if there is one.
pub(crate) type Rule = fn(&UnionSpec, State<'_>, Option<State<'_>>) -> Intent;

impl VisitorMut for Normalizer {
    #[cold]
    fn visit(&mut self, new: &mut dyn Node, old: Option<&dyn Node>, at: &Place<'_>) {
        for union in 0..new.specs().len() {
            let spec = new.specs()[union];
            let old = old.map(|old| old.state(union));
            let intent = (self.rule)(&spec, new.state(union), old);
            self.apply(&intent, new, union, &at.new);
        }
    }
}

impl Normalizer {
    pub(crate) fn new(rule: Rule) -> Self {
        Self {
            rule,
            changes: Changes::default(),
        }
    }

    fn apply(&mut self, intent: &Intent, new: &mut dyn Node, union: usize, path: &Path<'_>) {
        let spec = new.specs()[union];
        let set = new.state(union).set();
        for (i, member) in spec.members().iter().enumerate() {
            if set & !intent.keep & member.bit() != 0 {
                new.clear(union, i);
                self.changes
                    .push(path.field(member.name()), ChangeKind::Cleared);
            }
            if let Some(discriminator) = spec.discriminator()
                && intent.select == Some(member.value_index())
            {
                new.select(union, i);
                self.changes
                    .push(path.field(discriminator.name()), ChangeKind::Set);
            }
        }
    }
}

/// What normalization is to do with a union.
pub(crate) struct Intent {
    /// The members that may stay.
    keep: u64,
    /// The value to give to the discriminator.
    select: Option<usize>,
}

impl Intent {
    const NOTHING: Self = Self {
        keep: u64::MAX,
        select: None,
    };

    /// The discriminator is to follow this one member, and says so in many cases.
    fn follow(member: u64, state: State<'_>) -> Self {
        let value = member.trailing_zeros() as usize;
        Self {
            keep: member,
            select: (state.selected() != Selected::Known(value)).then_some(value),
        }
    }

    fn only(keep: u64) -> Self {
        Self { keep, select: None }
    }
}

/// The rule for creates, updates and patches (DESIGN 5); an object without an old one is created.
pub(crate) fn by_model(spec: &UnionSpec, new: State<'_>, old: Option<State<'_>>) -> Intent {
    if spec.is_selected_by_discriminator() {
        follow_discriminator(new, old)
    } else {
        follow_members(spec, new, old.unwrap_or(State::EMPTY))
    }
}

/// The rule for what was merged, against what is live: the 2022 model's alone.
pub(crate) fn by_live(spec: &UnionSpec, merged: State<'_>, live: Option<State<'_>>) -> Intent {
    if spec.is_selected_by_discriminator() {
        follow_discriminator(merged, live)
    } else {
        Intent::NOTHING
    }
}

/// The rule for what was merged, against what was applied: the 2019 model's alone. One member that was applied, or a
/// discriminator alone, is what is meant.
pub(crate) fn by_applied(
    spec: &UnionSpec,
    merged: State<'_>,
    applied: Option<State<'_>>,
) -> Intent {
    let Some(applied) = applied.filter(|_| !spec.is_selected_by_discriminator()) else {
        return Intent::NOTHING;
    };
    match (applied.set(), applied.selected()) {
        (0, Selected::Missing) => Intent::NOTHING,
        (0, selected) => Intent::only(selected.known().map_or(0, bit)),
        (set, _) => Intent::follow(set, merged),
    }
}

/// The 2022 model: a discriminator that changed to a known value clears every member but the selected one. A value that
/// is missing or not known changes nothing: validation refuses it loudly, and nothing is lost.
fn follow_discriminator(state: State<'_>, old: Option<State<'_>>) -> Intent {
    match (state.selected(), old) {
        (Selected::Known(value), Some(old)) if old.selected() != state.selected() => {
            Intent::only(bit(value))
        }
        _ => Intent::NOTHING,
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
/// removed is no change: clients that do not know it drop it.
fn follow_members(spec: &UnionSpec, state: State<'_>, old: State<'_>) -> Intent {
    if state.is_refused(spec) {
        return Intent::NOTHING;
    }
    let selected = state.selected();
    if selected != Selected::Missing && selected != old.selected() {
        return Intent::only(selected.known().map_or(0, bit));
    }
    let added = state.set() & !old.set();
    let meant = if state.set().is_power_of_two() {
        state.set()
    } else if added.is_power_of_two() {
        added
    } else {
        return Intent::NOTHING;
    };
    Intent::follow(meant, state)
}

fn bit(value: usize) -> u64 {
    if value < MOST_VALUES { 1 << value } else { 0 }
}
