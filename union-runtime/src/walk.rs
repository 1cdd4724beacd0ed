//! The walk through an object and what it holds, new and old together.
//!
//! New and old are correlated as an API server does it (KEP-4008): fields by name, maps by key, lists that say so by the
//! keys of their elements, other lists as wholes.

use core::hash::{BuildHasher, Hash};
use std::collections::{BTreeMap, HashMap};

use serde_json::Value;

use crate::index::{Index, Indexes, Keys, NoKeys};
use crate::pair::Pair;
use crate::path::{Path, Step};
use crate::traits::Union;
use crate::view::{Node, NodeMut};
use crate::whole::{Whole, find_same};

/// A place in the new object and the one in the old object that it is compared with.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    pub(crate) new: Path<'a>,
    pub(crate) old: Path<'a>,
    /// Whether lists without keys are one list: a merge takes them as a whole from what was applied.
    lists_are_one: bool,
    /// The list that it is in without an old one of its own.
    pub(crate) list: Option<&'a Whole<'a>>,
    /// What was made of old lists so far.
    indexes: &'a Indexes,
}

/// Is shown every node of an object, and the node of the old one that it is correlated with (KEP-4008).
pub trait Visitor {
    /// Shows a node, the one of the old object that it is correlated with, if there is one, and where it is.
    fn visit(&mut self, node: &dyn Node, old: Option<&dyn Node>, at: &Place<'_>);
}

/// As [`Visitor`], and may change what it is shown.
pub trait VisitorMut {
    /// Shows a node, which knows the old one, and where it is.
    fn visit(&mut self, node: &mut dyn NodeMut, at: &Place<'_>);
}

impl<'a> Place<'a> {
    /// Where a walk begins.
    pub(crate) const fn root(indexes: &'a Indexes) -> Self {
        Self {
            new: Path::ROOT,
            old: Path::ROOT,
            lists_are_one: false,
            list: None,
            indexes,
        }
    }

    /// The root of a merged object, compared with what was applied.
    pub(crate) const fn applied(indexes: &'a Indexes) -> Self {
        Self {
            lists_are_one: true,
            ..Self::root(indexes)
        }
    }

    /// The old elements of the list that stands here.
    pub(crate) fn index<'i, T, K: Keys<T>>(
        &self,
        old: Option<&'i [T]>,
        keys: &'i K,
    ) -> Index<'i, T, K>
    where
        'a: 'i,
    {
        Index::among(old, keys, self.indexes)
    }

    /// The list that stands here, if the old object has it too, for elements that have no old one.
    pub(crate) fn list<T>(&self, old: Option<&[T]>) -> Option<Whole<'_>> {
        old.map(|_| Whole::new(self.new, self.old))
    }

    /// The old element for one of the list that stands here, and its position.
    pub(crate) fn old_element<'e, T, K: Keys<T>>(
        &self,
        position: usize,
        new: &T,
        old: Option<&'e [T]>,
        index: &mut Index<'e, T, K>,
    ) -> Option<(usize, &'e T)> {
        if self.lists_are_one && !index.has_keys() {
            return old?.get(position).map(|old| (position, old));
        }
        index.find(new)
    }

    /// Goes on in an element of the list that stands here, with the old one.
    pub(crate) fn element<'e, R, T>(
        &self,
        position: usize,
        old: Option<(usize, &'e T)>,
        list: Option<&Whole<'_>>,
        go_on: impl FnOnce(Option<&'e T>, &Place<'_>) -> R,
    ) -> R {
        // Without an old one the step leads nowhere.
        let (step, old) = old.map_or((usize::MAX, None), |(at, old)| (at, Some(old)));
        let place = Place {
            new: self.new.step(Step::Index(position)),
            old: self.old.step(Step::Index(step)),
            list: self.list.or(list.filter(|_| old.is_none())),
            ..*self
        };
        go_on(old, &place)
    }

    /// Goes on at a step of the new object, and one of the old.
    pub(crate) fn steps<R>(
        &self,
        new: Step<'_>,
        old: Step<'_>,
        go_on: impl FnOnce(&Place<'_>) -> R,
    ) -> R {
        go_on(&Place {
            new: self.new.step(new),
            old: self.old.step(old),
            ..*self
        })
    }

    /// Whether the new object holds here what the old one holds.
    pub(crate) fn is_unchanged(&self, new: &Value, old: &Value) -> bool {
        find_same(&self.new, new, &self.old, old)
    }

    /// Goes on in the field with this JSON name, in both objects, and gives what `go_on` gives.
    pub fn field<R>(&self, name: &str, go_on: impl FnOnce(&Place<'_>) -> R) -> R {
        self.steps(Step::Field(name), Step::Field(name), go_on)
    }
}

/// What a field with `nested` can be: a struct with `#[derive(Union)]`, or an `Option`, `Box`, list or map of such.
#[diagnostic::on_unimplemented(
    message = "there is nothing to descend into in `{Self}`",
    label = "neither a struct with `#[derive(Union)]` nor an `Option`, `Box`, list or map of such",
    note = "add `#[derive(union_runtime::Union)]` to the struct, or remove `nested`; what is shared (`Rc`, `Arc`, `Cow`, `&`) is never changed, so write a `Box`"
)]
pub trait Nested {
    /// Whether every union in it is settled.
    fn is_settled(&self) -> bool;

    /// Shows every node in it to `visitor`, each with the one of `old` that it is correlated with; `at` is where it is.
    fn walk(&self, old: Option<&Self>, at: &Place<'_>, visitor: &mut dyn Visitor);

    /// As [`walk`](Self::walk), to be changed.
    fn walk_mut(&mut self, old: Option<&Self>, at: &Place<'_>, visitor: &mut dyn VisitorMut);
}

#[diagnostic::do_not_recommend]
impl<T: Union> Nested for T {
    #[inline]
    fn is_settled(&self) -> bool {
        T::unions()
            .iter()
            .enumerate()
            .all(|(union, spec)| spec.is_settled(self.union_state(union)))
            && self.children_are_settled()
    }

    fn walk(&self, old: Option<&Self>, at: &Place<'_>, visitor: &mut dyn Visitor) {
        visitor.visit(self, old.map(|old| -> &dyn Node { old }), at);
        self.walk_children(old, at, visitor);
    }

    fn walk_mut(&mut self, old: Option<&Self>, at: &Place<'_>, visitor: &mut dyn VisitorMut) {
        visitor.visit(&mut Pair::new(self, old), at);
        self.walk_children_mut(old, at, visitor);
    }
}

#[diagnostic::do_not_recommend]
impl<T: Nested> Nested for Option<T> {
    #[inline]
    fn is_settled(&self) -> bool {
        self.as_ref().is_none_or(Nested::is_settled)
    }

    fn walk(&self, old: Option<&Self>, at: &Place<'_>, visitor: &mut dyn Visitor) {
        if let Some(new) = self {
            new.walk(old.and_then(Option::as_ref), at, visitor);
        }
    }

    fn walk_mut(&mut self, old: Option<&Self>, at: &Place<'_>, visitor: &mut dyn VisitorMut) {
        if let Some(new) = self {
            new.walk_mut(old.and_then(Option::as_ref), at, visitor);
        }
    }
}

/// Shows the elements of a list.
pub(crate) fn walk_list<T: Nested, K: Keys<T>>(
    new: &[T],
    old: Option<&[T]>,
    keys: &K,
    at: &Place<'_>,
    visitor: &mut dyn Visitor,
) {
    let mut index = at.index(old, keys);
    let list = at.list(old);
    for (i, new) in new.iter().enumerate() {
        let old = at.old_element(i, new, old, &mut index);
        at.element(i, old, list.as_ref(), |old, at| new.walk(old, at, visitor));
    }
}

/// As [`walk_list`], to be changed.
pub(crate) fn walk_list_mut<T: Nested, K: Keys<T>>(
    new: &mut [T],
    old: Option<&[T]>,
    keys: &K,
    at: &Place<'_>,
    visitor: &mut dyn VisitorMut,
) {
    let mut index = at.index(old, keys);
    for (i, new) in new.iter_mut().enumerate() {
        let old = at.old_element(i, new, old, &mut index);
        at.element(i, old, None, |old, at| new.walk_mut(old, at, visitor));
    }
}

/// A list that does not say what its elements are called: it is compared as a whole.
#[diagnostic::do_not_recommend]
impl<T: Nested> Nested for Vec<T> {
    fn is_settled(&self) -> bool {
        self.iter().all(Nested::is_settled)
    }

    fn walk(&self, old: Option<&Self>, at: &Place<'_>, visitor: &mut dyn Visitor) {
        walk_list(self, old.map(Self::as_slice), &NoKeys, at, visitor);
    }

    fn walk_mut(&mut self, old: Option<&Self>, at: &Place<'_>, visitor: &mut dyn VisitorMut) {
        walk_list_mut(self, old.map(Self::as_slice), &NoKeys, at, visitor);
    }
}

macro_rules! nested_map {
    ($map:ty, K: $bound:path $(, $hasher:ident: $hash:path)?) => {
        #[diagnostic::do_not_recommend]
        impl<K: AsRef<str> + $bound, T: Nested $(, $hasher: $hash)?> Nested for $map {
            fn is_settled(&self) -> bool {
                self.values().all(Nested::is_settled)
            }

            fn walk(&self, old: Option<&Self>, at: &Place<'_>, visitor: &mut dyn Visitor) {
                for (key, new) in by_key(self) {
                    let step = Step::Key(key.as_ref());
                    let old = old.and_then(|old| old.get(key));
                    at.steps(step, step, |at| new.walk(old, at, &mut *visitor));
                }
            }

            fn walk_mut(&mut self, old: Option<&Self>, at: &Place<'_>, visitor: &mut dyn VisitorMut) {
                for (key, new) in by_key(self) {
                    let step = Step::Key(key.as_ref());
                    let old = old.and_then(|old| old.get(key));
                    at.steps(step, step, |at| new.walk_mut(old, at, &mut *visitor));
                }
            }
        }
    };
}

/// The entries of a map in the order of their keys, which not every map has by itself.
fn by_key<'a, K: AsRef<str> + 'a, V>(map: impl IntoIterator<Item = (&'a K, V)>) -> Vec<(&'a K, V)> {
    let mut entries: Vec<(&K, V)> = map.into_iter().collect();
    entries.sort_by(|(a, _), (b, _)| a.as_ref().cmp(b.as_ref()));
    entries
}

nested_map!(BTreeMap<K, T>, K: Ord);
nested_map!(HashMap<K, T, S>, K: HashKey, S: BuildHasher);

macro_rules! nested_box {
    ($inner:ty, $($parameters:tt)*) => {
        #[diagnostic::do_not_recommend]
        impl<$($parameters)*> Nested for Box<$inner>
        where
            $inner: Nested,
        {
            fn is_settled(&self) -> bool {
                (**self).is_settled()
            }

            fn walk(&self, old: Option<&Self>, at: &Place<'_>, visitor: &mut dyn Visitor) {
                (**self).walk(old.map(|old| &**old), at, visitor);
            }

            fn walk_mut(&mut self, old: Option<&Self>, at: &Place<'_>, visitor: &mut dyn VisitorMut) {
                (**self).walk_mut(old.map(|old| &**old), at, visitor);
            }
        }
    };
}

// One impl for every box would conflict with that for structs: a boxed struct is one of those.
nested_box!(Option<T>, T);
nested_box!(Vec<T>, T);
nested_box!(BTreeMap<K, T>, K, T);
nested_box!(HashMap<K, T, S>, K, T, S);

/// What a key of a hash map must be.
pub trait HashKey: Eq + Hash {}

impl<K: Eq + Hash> HashKey for K {}
