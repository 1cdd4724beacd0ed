//! Normalization: the object says what its client meant.

use core::fmt;

use crate::lookup::MOST_VALUES;
use crate::path::Path;
use crate::spec::UnionSpec;
use crate::view::{NodeMut, Selected, State};
use crate::walk::{Place, VisitorMut};

/// What normalization changed: unions in source order, and of each the members in source order. A discriminator that was set
/// stands where the member does that it follows; members that this build does not know come last.
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
    /// The member was dropped by a client that does not know it, and is there again.
    Restored,
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

    /// The paths of the members that were put back ([`RestoreUnaware`]).
    pub fn restored(&self) -> impl Iterator<Item = &str> {
        self.paths(ChangeKind::Restored)
    }

    fn paths(&self, kind: ChangeKind) -> impl Iterator<Item = &str> {
        let changes = self.iter().filter(move |change| change.kind == kind);
        changes.map(Change::path)
    }

    /// Leaves those whose path is one of these.
    pub fn retain(&mut self, is_one: impl Fn(&str) -> bool) {
        self.changes.retain(|change| is_one(&change.path));
    }

    fn push(&mut self, path: String, kind: ChangeKind) {
        self.changes.push(Change { path, kind });
    }

    /// The same changes, seen from an object that holds this one in `field`, a path such as `spec.strategy`.
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
            ChangeKind::Restored => write!(f, "{}: restored", self.path),
        }
    }
}

/// When a member comes back that a client dropped because it does not know it (KEP-1027, cases #12 and #16).
///
/// A structured client that does not know a member reads an object, loses the member, and writes the rest back, with the
/// discriminator as it was. By the text that is an error: the selected member is unset. Where the discriminator rules (the
/// 2022 model), a server can put the member back instead: the discriminator is unchanged, it selects the member, the old
/// object had it.
///
/// Structs that implement `Clone` get members back; JSON objects do anyhow.
///
/// ```
/// use serde::{Deserialize, Serialize};
/// use union_runtime::{EnumType, RestoreUnaware, Settings, Union, admit};
///
/// #[derive(EnumType, Serialize, Deserialize, Clone, PartialEq, Debug)]
/// enum TargetType {
///     S3,
///     Tape,
/// }
///
/// #[derive(Union, Serialize, Deserialize, Clone, PartialEq, Debug)]
/// struct Target {
///     #[union(discriminator)]
///     r#type: TargetType,
///     #[union(member)]
///     #[serde(skip_serializing_if = "Option::is_none")]
///     s3: Option<String>,
///     #[union(member)]
///     #[serde(skip_serializing_if = "Option::is_none")]
///     tape: Option<String>,
/// }
///
/// let old = Target { r#type: TargetType::Tape, s3: None, tape: Some("first".into()) };
/// // Written back by a client that has not heard of `tape`.
/// let new = Target { tape: None, ..old.clone() };
///
/// assert!(admit(&mut new.clone(), Some(&old), &Settings::default()).is_err());
///
/// let mut new = new;
/// let settings = Settings::default().restore_unaware(RestoreUnaware::Required);
/// let admitted = admit(&mut new, Some(&old), &settings).expect("it is valid again");
/// assert_eq!(admitted.changes.to_string(), "tape: restored");
/// assert_eq!(new, old);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum RestoreUnaware {
    /// Never: validation refuses an object without the selected member, if that is not optional.
    #[default]
    Off,
    /// Members that must be set when they are selected.
    Required,
    /// Optional members too. A client that means to unset one, and keeps the discriminator, cannot.
    All,
}

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
            let intent = {
                let new = node.node();
                let old = node.old().map(|old| old.state(union));
                (self.rule)(&new.spec(union), new.state(union), old, self.restore)
            };
            self.apply(intent, node, union, &at.new);
        }
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

    fn apply(&mut self, intent: Intent, node: &mut dyn NodeMut, union: usize, path: &Path<'_>) {
        let set = node.node().state(union).set();
        for i in 0..node.node().spec(union).members().len() {
            // The spec is borrowed from what is about to be changed, so the paths are written down first.
            let spec = node.node().spec(union);
            let Some(member) = spec.member(i) else {
                continue;
            };
            let is_meant = Some(member.value_index());
            let clears = set & !intent.keep & member.bit() != 0;
            let restores = intent.restore == is_meant;
            let selected = spec
                .discriminator()
                .filter(|_| intent.select == is_meant)
                .map(|discriminator| path.field(discriminator.name()).to_string());
            let member = (clears || restores).then(|| path.field(member.name()).to_string());
            if let Some(path) = member {
                if clears {
                    node.clear(union, i);
                    self.changes.push(path, ChangeKind::Cleared);
                } else if node.restore(union, i) {
                    self.changes.push(path, ChangeKind::Restored);
                }
            }
            if let Some(path) = selected {
                node.select(union, i);
                self.changes.push(path, ChangeKind::Set);
            }
        }
        if let Some(value) = intent.unknown {
            for name in node.clear_unknown(&value) {
                let path = path.field(&name).to_string();
                self.changes.push(path, ChangeKind::Cleared);
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
    /// The value whose member is to be put back.
    restore: Option<usize>,
    /// The value, unknown here, whose member is to go.
    unknown: Option<String>,
}

impl Intent {
    const NOTHING: Self = Self::only(u64::MAX);

    /// The discriminator is to follow this one member, and says so in many cases.
    fn follow(member: u64, state: State<'_>) -> Self {
        let value = member.trailing_zeros() as usize;
        Self {
            select: (state.selected() != Selected::Known(value)).then_some(value),
            ..Self::only(member)
        }
    }

    const fn only(keep: u64) -> Self {
        Self {
            keep,
            select: None,
            restore: None,
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
    match (applied.set(), applied.selected()) {
        (0, Selected::Missing) => Intent::NOTHING,
        (0, selected) => Intent::only(selected.known().map_or(0, bit)),
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
    let (Selected::Known(value), Some(old)) = (state.selected(), old) else {
        return Intent::NOTHING;
    };
    if old.selected() != state.selected() {
        let unknown = match old.selected() {
            Selected::Unknown(text) => Some(text.to_owned()),
            _ => None,
        };
        return Intent {
            unknown,
            ..Intent::only(bit(value))
        };
    }
    let was_dropped = old.set() & !state.set() & bit(value) != 0;
    let comes_back = match restore {
        RestoreUnaware::Off => false,
        RestoreUnaware::Required => spec.required_mask() & bit(value) != 0,
        RestoreUnaware::All => true,
    };
    Intent {
        restore: (was_dropped && comes_back).then_some(value),
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
/// removed is no change: clients that do not know it drop it.
fn follow_members(spec: &UnionSpec<'_>, state: State<'_>, old: State<'_>) -> Intent {
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
