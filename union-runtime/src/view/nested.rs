//! What can be walked through: a struct with unions, or an `Option`, `Box`, list or map of what can.
//!
//! New and old are correlated as an API server does it (KEP-4008): fields by name, maps by key, lists that say so by the
//! keys of their elements, other lists as wholes.

use core::hash::{BuildHasher, Hash};
use std::collections::{BTreeMap, HashMap};

use super::node::{Visitor, VisitorMut};
use super::place::Place;
use crate::path::Step;
use k8s_json_internals::keyed::{Keys, NoKeys};

/// What holds unions: a struct with `#[derive(Union)]`, or an `Option`, `Box`, list or map of such.
///
/// It is what a field with `nested` can be, and what [`admit`](crate::admit) and its siblings take. The derive and this crate
/// implement it; you need not. `Of` says which nodes a walk visits, and is for this crate alone.
#[diagnostic::on_unimplemented(
    message = "`{Self}` holds no unions",
    label = "neither a struct with `#[derive(Union)]` nor an `Option`, `Box`, list or map of such",
    note = "add `#[derive(union_runtime::Union)]` to the struct; or remove `nested`, where that is on a field of this type; what is shared (`Rc`, `Arc`, `Cow`, `&`) is never changed, so write a `Box`"
)]
pub trait Nested<Of = Unions> {
    /// Whether every union in it is settled: nothing would be cleared and nothing is wrong, whatever the old object says.
    fn is_settled(&self) -> bool;

    /// For the derive alone. Shows every node in it to `visitor`, each with the one of `old` that it is correlated with; `at` is where it is.
    #[doc(hidden)]
    fn walk<'v>(&self, old: Option<&'v Self>, at: &Place<'_, 'v>, visitor: &mut dyn Visitor);

    /// For the derive alone. As [`walk`](Self::walk), to be changed.
    #[doc(hidden)]
    fn walk_mut<'v>(
        &mut self,
        old: Option<&'v Self>,
        at: &Place<'_, 'v>,
        visitor: &mut dyn VisitorMut,
    );
}

/// The nodes of a walk are unions.
pub struct Unions;

/// The nodes of a walk are values of enum types outside of unions.
pub struct Values;

#[diagnostic::do_not_recommend]
impl<Of, T: Nested<Of>> Nested<Of> for Option<T> {
    #[inline]
    fn is_settled(&self) -> bool {
        self.as_ref().is_none_or(Nested::is_settled)
    }

    fn walk<'v>(&self, old: Option<&'v Self>, at: &Place<'_, 'v>, visitor: &mut dyn Visitor) {
        if let Some(new) = self {
            new.walk(old.and_then(Option::as_ref), at, visitor);
        }
    }

    fn walk_mut<'v>(
        &mut self,
        old: Option<&'v Self>,
        at: &Place<'_, 'v>,
        visitor: &mut dyn VisitorMut,
    ) {
        if let Some(new) = self {
            new.walk_mut(old.and_then(Option::as_ref), at, visitor);
        }
    }
}

/// Shows the elements of a list.
pub(crate) fn walk_list<'v, Of, T: Nested<Of>, K: Keys<T>>(
    new: &[T],
    old: Option<&'v [T]>,
    keys: &K,
    at: &Place<'_, 'v>,
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
pub(crate) fn walk_list_mut<'v, Of, T: Nested<Of>, K: Keys<T>>(
    new: &mut [T],
    old: Option<&'v [T]>,
    keys: &K,
    at: &Place<'_, 'v>,
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
impl<Of, T: Nested<Of>> Nested<Of> for Vec<T> {
    fn is_settled(&self) -> bool {
        self.iter().all(Nested::is_settled)
    }

    fn walk<'v>(&self, old: Option<&'v Self>, at: &Place<'_, 'v>, visitor: &mut dyn Visitor) {
        walk_list(self, old.map(Self::as_slice), &NoKeys, at, visitor);
    }

    fn walk_mut<'v>(
        &mut self,
        old: Option<&'v Self>,
        at: &Place<'_, 'v>,
        visitor: &mut dyn VisitorMut,
    ) {
        walk_list_mut(self, old.map(Self::as_slice), &NoKeys, at, visitor);
    }
}

macro_rules! nested_map {
    ($map:ty, K: $bound:path $(, $hasher:ident: $hash:path)?) => {
        #[diagnostic::do_not_recommend]
        impl<Of, K: AsRef<str> + $bound, T: Nested<Of> $(, $hasher: $hash)?> Nested<Of> for $map {
            fn is_settled(&self) -> bool {
                self.values().all(Nested::is_settled)
            }

            fn walk<'v>(&self, old: Option<&'v Self>, at: &Place<'_, 'v>, visitor: &mut dyn Visitor) {
                for (key, new) in by_key(self) {
                    let step = Step::Key(key.as_ref());
                    let old = old.and_then(|old| old.get(key));
                    at.steps(step, step, |at| new.walk(old, at, &mut *visitor));
                }
            }

            fn walk_mut<'v>(&mut self, old: Option<&'v Self>, at: &Place<'_, 'v>, visitor: &mut dyn VisitorMut) {
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
        impl<Of, $($parameters)*> Nested<Of> for Box<$inner>
        where
            $inner: Nested<Of>,
        {
            fn is_settled(&self) -> bool {
                (**self).is_settled()
            }

            fn walk<'v>(&self, old: Option<&'v Self>, at: &Place<'_, 'v>, visitor: &mut dyn Visitor) {
                (**self).walk(old.map(|old| &**old), at, visitor);
            }

            fn walk_mut<'v>(&mut self, old: Option<&'v Self>, at: &Place<'_, 'v>, visitor: &mut dyn VisitorMut) {
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
