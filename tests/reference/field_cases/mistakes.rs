//! Makes mistakes in documents, mostly in the names of fields.

use std::collections::BTreeSet;

use union_random::Random;

use super::make::Generator;
use super::names::Mistake;
use super::tree::{Path, Tree};
use super::types::{Context, GoType, IN_LIST, IN_LISTS, Structs, Type};

/// The place of an object in a document.
#[derive(Clone)]
pub(crate) struct Place<'t> {
    path: Path,
    ty: Type<'t>,
    contexts: BTreeSet<Context>,
    /// True if the object contains fields of [`IDENTITY`]: at the root, and in its metadata.
    is_identity: bool,
}

/// A change of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Change {
    /// A field is renamed to a name with a mistake.
    Renamed(Mistake),
    /// A field with a mistake in its name is added.
    Added(Mistake),
    /// [`MANY`] unknown fields are added to one object.
    Many,
    /// A field is moved to another object.
    Moved,
    /// A key is written twice.
    Repeated,
    /// A value is replaced by an object.
    Object,
    /// A value is replaced by a list of objects.
    Objects,
}

/// A change that was made, and its position.
pub(crate) struct MadeChange {
    pub(crate) change: Change,
    /// The kind of the object, and the field that was changed.
    pub(crate) kind: String,
    pub(crate) field: String,
    pub(crate) contexts: BTreeSet<Context>,
}

/// Returns all objects of a document.
pub(crate) fn places<'t>(tree: &Tree, ty: Type<'t>, structs: &'t Structs) -> Vec<Place<'t>> {
    let mut found = Vec::new();
    let root = Place {
        path: Path::new(),
        ty,
        contexts: BTreeSet::new(),
        is_identity: true,
    };
    collect(tree, root, structs, &mut found);
    found
}

fn collect<'t>(tree: &Tree, at: Place<'t>, structs: &'t Structs, found: &mut Vec<Place<'t>>) {
    let below = |index: usize, (ty, context): (Type<'t>, Option<Context>), is_identity: bool| {
        let mut contexts = at.contexts.clone();
        if context == Some(IN_LIST) && !contexts.insert(IN_LIST) {
            contexts.insert(IN_LISTS);
        }
        contexts.extend(context);
        Place {
            path: at.path.iter().copied().chain([index]).collect(),
            ty,
            contexts,
            is_identity,
        }
    };
    match tree {
        Tree::Object(entries) => {
            for (index, (key, value)) in entries.iter().enumerate() {
                let is_identity = at.path.is_empty() && key == "metadata";
                let part = below(index, at.ty.child(key, structs), is_identity);
                collect(value, part, structs, found);
            }
            found.push(at);
        }
        Tree::List(elements) => {
            for (index, value) in elements.iter().enumerate() {
                collect(
                    value,
                    below(index, at.ty.element(structs), false),
                    structs,
                    found,
                );
            }
        }
        Tree::Scalar(_) => {}
    }
}

/// The number of fields that [`Change::Many`] adds. A server reports at most 100 fields.
const MANY: usize = 120;

/// The fields that identify an object. They are never changed.
const IDENTITY: [&str; 6] = [
    "apiVersion",
    "kind",
    "metadata",
    "name",
    "namespace",
    "resourceVersion",
];

impl Place<'_> {
    fn may_change(&self, key: &str) -> bool {
        !(self.is_identity && IDENTITY.contains(&key))
    }

    fn is_go(&self) -> bool {
        matches!(self.ty, Type::Go(_))
    }

    /// Returns true if the object is the struct, and has the field.
    pub(crate) fn has(&self, tree: &Tree, (name, field): (&str, &str)) -> bool {
        matches!(self.ty, Type::Go(GoType::Struct(ty)) if ty == name) && tree.has(&self.path, field)
    }

    /// Returns the index of a random entry that can be changed. If `field` is given, the entry has
    /// this key.
    fn choose(
        &self,
        entries: &[(String, Tree)],
        change: Change,
        field: Option<&str>,
        random: &mut Random,
    ) -> Option<usize> {
        let may_change = |key: &String| {
            field.is_none_or(|field| key == field)
                && (matches!(change, Change::Added(_)) || self.may_change(key))
        };
        let all = entries.iter().enumerate();
        let (lists, others): (Vec<_>, Vec<_>) = all
            .filter(|(_, (key, _))| may_change(key))
            .partition(|(_, (_, value))| matches!(value, Tree::List(_)));
        // Lists are rare, so a list is preferred where an object can replace it.
        let candidates = if change == Change::Object && !lists.is_empty() {
            lists
        } else {
            [others, lists].concat()
        };
        let (at, _) = (!candidates.is_empty()).then(|| random.pick(&candidates))?;
        Some(*at)
    }

    /// Makes a change in the object. `field` is the field to change, or `None` for a random field.
    /// Returns `None` if the change is not possible in this object.
    pub(crate) fn change(
        &self,
        tree: &mut Tree,
        change: Change,
        field: Option<&str>,
        generator: &mut Generator<'_>,
    ) -> Option<MadeChange> {
        let entries = tree.at_mut(&self.path)?.entries_mut()?;
        let at = self.choose(entries, change, field, generator.random);
        let name = at.map(|at| entries[at].0.clone()).unwrap_or_default();
        let mut ty = self.ty;
        match change {
            Change::Renamed(mistake) => {
                let renamed = mistake.make(&name, generator.random);
                let is_repeated = entries.iter().any(|(key, _)| *key == renamed);
                if is_repeated && !generator.repeats_objects {
                    return None;
                }
                entries[at?].0 = renamed;
            }
            Change::Added(mistake) => {
                let added = mistake.make(&name, generator.random);
                if entries.iter().any(|(key, _)| *key == added) {
                    return None;
                }
                let value = match at {
                    Some(at) if generator.random.chance(50) => entries[at].1.clone(),
                    _ => generator.anything(2),
                };
                let at = generator.random.below(entries.len() + 1);
                entries.insert(at, (added, value));
            }
            Change::Many => {
                let names = (0..MANY).map(|number| format!("more{number}"));
                entries.extend(names.map(|name| (name, Tree::Scalar(true.into()))));
            }
            Change::Repeated => {
                if !generator.repeats_objects && !matches!(entries[at?].1, Tree::Scalar(_)) {
                    return None;
                }
                let value = if generator.random.chance(50) || self.is_go() {
                    entries[at?].1.clone()
                } else {
                    generator.anything(2)
                };
                let end = generator.random.below(entries.len() - at?) + at? + 1;
                entries.insert(end, (name.clone(), value));
            }
            // The Go decoder would reject the type of the value, and not report unknown fields.
            Change::Object | Change::Objects if self.is_go() => return None,
            Change::Object => {
                entries[at?].1 = generator.object_of_anything(1);
                ty = ty.child(&name, generator.structs).0;
            }
            Change::Objects => {
                entries[at?].1 = Tree::List(vec![generator.object_of_anything(1)]);
                ty = ty
                    .child(&name, generator.structs)
                    .0
                    .element(generator.structs)
                    .0;
            }
            Change::Moved => return None,
        }
        Some(self.made_change(change, ty, name))
    }

    fn made_change(&self, change: Change, ty: Type<'_>, field: String) -> MadeChange {
        MadeChange {
            change,
            kind: ty.kind(),
            field,
            contexts: self.contexts.clone(),
        }
    }
}

/// Makes a random change in a document. Returns `None` if the change is not possible at the random
/// place.
pub(crate) fn spoil(
    tree: &mut Tree,
    ty: Type<'_>,
    generator: &mut Generator<'_>,
) -> Option<MadeChange> {
    let places = places(tree, ty, generator.structs);
    let place = pick(&places, generator.random)?;
    let mistake = *generator.random.pick(&Mistake::ALL);
    let change = generator.random.weighted(&[
        (6, Change::Renamed(mistake)),
        (7, Change::Added(mistake)),
        (1, Change::Many),
        (3, Change::Moved),
        (2, Change::Repeated),
        (3, Change::Object),
        (3, Change::Objects),
    ]);
    if change != Change::Moved {
        return place.change(tree, change, None, generator);
    }
    let other = pick(&places, generator.random)?;
    // The field is not moved if one of the objects contains the other object.
    if place.is_go()
        || other.is_go()
        || place.path.starts_with(&other.path)
        || other.path.starts_with(&place.path)
    {
        return None;
    }
    let from = tree.at_mut(&place.path)?.entries_mut()?;
    let at = (0..from.len())
        .rev()
        .find(|at| place.may_change(&from[*at].0))?;
    let (name, value) = (from[at].0.clone(), from[at].1.clone());
    let into = tree.at_mut(&other.path)?.entries_mut()?;
    if into.iter().any(|(key, _)| *key == name) {
        return None;
    }
    into.push((name.clone(), value));
    // The new entry is at the end of its object, so the index `at` is still correct.
    tree.at_mut(&place.path)?.entries_mut()?.remove(at);
    Some(other.made_change(change, other.ty, name))
}

/// Returns a random place: first picks a kind of object, then a place with this kind. Kinds that
/// documents rarely contain are picked more often.
fn pick<'p, 't>(places: &'p [Place<'t>], random: &mut Random) -> Option<&'p Place<'t>> {
    let kinds: BTreeSet<String> = places.iter().map(|place| place.ty.kind()).collect();
    let (rare, others): (Vec<String>, Vec<String>) =
        kinds.into_iter().partition(|kind| is_rare(kind));
    let is_rare = !rare.is_empty() && random.chance(40);
    let kinds = if is_rare || others.is_empty() {
        &rare
    } else {
        &others
    };
    if kinds.is_empty() {
        return None;
    }
    let kind = random.pick(kinds);
    let candidates: Vec<&Place<'t>> = places
        .iter()
        .filter(|place| place.ty.kind() == *kind)
        .collect();
    Some(*random.pick(&candidates))
}

fn is_rare(kind: &str) -> bool {
    kind.contains("preserves") || kind.starts_with("own type JSON")
}
