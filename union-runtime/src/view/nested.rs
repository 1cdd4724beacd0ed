//! Values that can be walked through: a struct with unions, or an `Option`, `Box`, list or map of
//! what can.
//!
//! New and old are correlated as an API server does it (KEP-4008): fields by name, maps by key,
//! lists that say so by the keys of their elements, other lists as wholes.

use core::hash::{BuildHasher, Hash};
use std::collections::{BTreeMap, HashMap};

use super::descent::Descent;
use super::node::{Visitor, VisitorMut};
use k8s_json_internals::keyed::NoKeys;

/// A value that holds unions: a struct with `#[derive(Union)]`, or an `Option`, `Box`, list or map
/// of such values.
///
/// It is what a field with `nested` can be, and what the methods of [`Union`](trait@crate::Union)
/// take. The derive and this crate implement it; you need not. `Of` says which nodes a walk visits,
/// and is for this crate alone.
#[diagnostic::on_unimplemented(
    message = "`{Self}` holds no unions",
    label = "neither a struct with `#[derive(Union)]` nor an `Option`, `Box`, list or map of such",
    note = "add `#[derive(union_runtime::Union)]` to the struct; or remove `nested`, where that is on a field of this type; what is shared (`Rc`, `Arc`, `Cow`, `&`) is never changed, so write a `Box`"
)]
pub trait Nested<Of = Unions> {
    /// Returns true if every union in the value is settled: nothing would be cleared and nothing is
    /// invalid, whatever the old object is.
    fn is_settled(&self) -> bool;

    /// Shows every node in the value to the visitor of a walk. For the derive alone.
    #[doc(hidden)]
    fn walk(&self, on: Descent<'_, '_, Self, dyn Visitor + '_>);

    /// Shows every node in the value to a visitor that may change it. For the derive alone.
    #[doc(hidden)]
    fn walk_mut(&mut self, on: Descent<'_, '_, Self, dyn VisitorMut + '_>);
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

    fn walk(&self, on: Descent<'_, '_, Self, dyn Visitor + '_>) {
        if let Some(new) = self {
            new.walk(on.map(Option::as_ref));
        }
    }

    fn walk_mut(&mut self, on: Descent<'_, '_, Self, dyn VisitorMut + '_>) {
        if let Some(new) = self {
            new.walk_mut(on.map(Option::as_ref));
        }
    }
}

/// A list that does not say what its elements are called: it is compared as a whole.
#[diagnostic::do_not_recommend]
impl<Of, T: Nested<Of>> Nested<Of> for Vec<T> {
    fn is_settled(&self) -> bool {
        self.iter().all(Nested::is_settled)
    }

    fn walk(&self, on: Descent<'_, '_, Self, dyn Visitor + '_>) {
        let on = on.map(|old| Some(old.as_slice()));
        on.elements(self, &NoKeys, Nested::walk);
    }

    fn walk_mut(&mut self, on: Descent<'_, '_, Self, dyn VisitorMut + '_>) {
        let on = on.map(|old| Some(old.as_slice()));
        on.elements(self, &NoKeys, Nested::walk_mut);
    }
}

macro_rules! nested_map {
    ($map:ty, K: ($($bound:path),+) $(, $hasher:ident: $hash:path)?) => {
        #[diagnostic::do_not_recommend]
        impl<Of, K: AsRef<str> $(+ $bound)+, T: Nested<Of> $(, $hasher: $hash)?> Nested<Of> for $map {
            fn is_settled(&self) -> bool {
                self.values().all(Nested::is_settled)
            }

            fn walk(&self, on: Descent<'_, '_, Self, dyn Visitor + '_>) {
                on.entries(by_key(self), |old, key| old.get(*key), Nested::walk);
            }

            fn walk_mut(&mut self, on: Descent<'_, '_, Self, dyn VisitorMut + '_>) {
                on.entries(by_key(self), |old, key| old.get(*key), Nested::walk_mut);
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

nested_map!(BTreeMap<K, T>, K: (Ord));
nested_map!(HashMap<K, T, S>, K: (Eq, Hash), S: BuildHasher);

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

            fn walk(&self, on: Descent<'_, '_, Self, dyn Visitor + '_>) {
                (**self).walk(on.map(|old| Some(&**old)));
            }

            fn walk_mut(&mut self, on: Descent<'_, '_, Self, dyn VisitorMut + '_>) {
                (**self).walk_mut(on.map(|old| Some(&**old)));
            }
        }
    };
}

// One impl for every box would conflict with that for structs: a boxed struct is one of those.
nested_box!(Option<T>, T);
nested_box!(Vec<T>, T);
nested_box!(BTreeMap<K, T>, K, T);
nested_box!(HashMap<K, T, S>, K, T, S);
