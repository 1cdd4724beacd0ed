//! Values that a walk can visit: a struct with unions, or an `Option`, `Box`, list or map of such
//! values.
//!
//! New and old values are correlated as on an API server (KEP-4008): fields by name, map entries by
//! key, and elements of lists with `list_map_keys` by their keys. Other lists are compared as a
//! whole.

use core::hash::{BuildHasher, Hash};
use std::collections::{BTreeMap, HashMap};

use super::descent::Descent;
use super::node::{Visitor, VisitorMut};
use k8s_json_internals::element_index::Unkeyed;

/// A value that contains unions: a struct with `#[derive(Union)]`, or an `Option`, `Box`, list or
/// map of such values.
///
/// The trait is the bound of fields with `nested`, and of the methods of
/// [`Union`](trait@crate::Union). Only the derive and this crate implement the trait. The parameter
/// `Nodes` selects the nodes that a walk visits, and is only used by this crate.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no unions that can be checked",
    label = "neither a type with a derive of `union_runtime`, nor an `Option`, `Box`, `Vec` or map with string keys of such types",
    note = "if the type has unions, add `#[derive(union_runtime::Union)]` to it, on a root type of kube by `#[kube(derive = \"Union\", attr = \"union(nested(spec))\")]`; otherwise remove `nested`",
    note = "write a `Box` in place of `Rc`, `Arc`, `Cow` and `&`, a `Vec` in place of other lists, sets and tuples, and string keys in place of others; or write `#[union(not_nested)]` to leave the unions unchecked"
)]
pub trait Nested<Nodes = UnionNodes> {
    /// Returns true if every union in the value is settled: for every old object, normalization
    /// clears nothing and validation finds no error.
    fn is_settled(&self) -> bool;

    /// Passes every node in the value to the visitor. Only the derives call this method.
    #[doc(hidden)]
    fn walk(&self, descent: Descent<'_, '_, Self, dyn Visitor + '_>);

    /// Passes every node in the value to a visitor that may change the nodes. Only the derives call
    /// this method.
    #[doc(hidden)]
    fn walk_mut(&mut self, descent: Descent<'_, '_, Self, dyn VisitorMut + '_>);
}

/// A marker for [`Nested`]: the nodes of the walk are unions.
pub struct UnionNodes;

/// A marker for [`Nested`]: the nodes of the walk are values of enum types outside of unions.
pub struct ValueNodes;

#[diagnostic::do_not_recommend]
impl<Nodes, T: Nested<Nodes>> Nested<Nodes> for Option<T> {
    #[inline]
    fn is_settled(&self) -> bool {
        self.as_ref().is_none_or(Nested::is_settled)
    }

    fn walk(&self, descent: Descent<'_, '_, Self, dyn Visitor + '_>) {
        if let Some(new) = self {
            new.walk(descent.map(Option::as_ref));
        }
    }

    fn walk_mut(&mut self, descent: Descent<'_, '_, Self, dyn VisitorMut + '_>) {
        if let Some(new) = self {
            new.walk_mut(descent.map(Option::as_ref));
        }
    }
}

/// A list whose elements have no keys is compared as a whole.
#[diagnostic::do_not_recommend]
impl<Nodes, T: Nested<Nodes>> Nested<Nodes> for Vec<T> {
    fn is_settled(&self) -> bool {
        self.iter().all(Nested::is_settled)
    }

    fn walk(&self, descent: Descent<'_, '_, Self, dyn Visitor + '_>) {
        let descent = descent.map(|old| Some(old.as_slice()));
        descent.elements(self, &Unkeyed, Nested::walk);
    }

    fn walk_mut(&mut self, descent: Descent<'_, '_, Self, dyn VisitorMut + '_>) {
        let descent = descent.map(|old| Some(old.as_slice()));
        descent.elements(self, &Unkeyed, Nested::walk_mut);
    }
}

macro_rules! nested_map {
    ($map:ty, K: ($($bound:path),+) $(, $hasher:ident: $hash:path)?) => {
        #[diagnostic::do_not_recommend]
        impl<Nodes, K: AsRef<str> $(+ $bound)+, T: Nested<Nodes> $(, $hasher: $hash)?> Nested<Nodes> for $map {
            fn is_settled(&self) -> bool {
                self.values().all(Nested::is_settled)
            }

            fn walk(&self, descent: Descent<'_, '_, Self, dyn Visitor + '_>) {
                descent.entries(sorted_entries(self), |map, key| map.get(*key), Nested::walk);
            }

            fn walk_mut(&mut self, descent: Descent<'_, '_, Self, dyn VisitorMut + '_>) {
                descent.entries(sorted_entries(self), |map, key| map.get(*key), Nested::walk_mut);
            }
        }
    };
}

/// Returns the entries of a map in the order of their keys, because hash maps have no order.
fn sorted_entries<'a, K: AsRef<str> + 'a, V>(
    map: impl IntoIterator<Item = (&'a K, V)>,
) -> Vec<(&'a K, V)> {
    let mut entries: Vec<(&K, V)> = map.into_iter().collect();
    entries.sort_by(|(left_key, _), (right_key, _)| left_key.as_ref().cmp(right_key.as_ref()));
    entries
}

nested_map!(BTreeMap<K, T>, K: (Ord));
nested_map!(HashMap<K, T, S>, K: (Eq, Hash), S: BuildHasher);

macro_rules! nested_box {
    ($inner:ty, $($parameters:tt)*) => {
        #[diagnostic::do_not_recommend]
        impl<Nodes, $($parameters)*> Nested<Nodes> for Box<$inner>
        where
            $inner: Nested<Nodes>,
        {
            fn is_settled(&self) -> bool {
                (**self).is_settled()
            }

            fn walk(&self, descent: Descent<'_, '_, Self, dyn Visitor + '_>) {
                (**self).walk(descent.map(|old| Some(&**old)));
            }

            fn walk_mut(&mut self, descent: Descent<'_, '_, Self, dyn VisitorMut + '_>) {
                (**self).walk_mut(descent.map(|old| Some(&**old)));
            }
        }
    };
}

// One impl for every box would conflict with the impl for structs, because a boxed struct
// implements `UnionType` itself.
nested_box!(Option<T>, T);
nested_box!(Vec<T>, T);
nested_box!(BTreeMap<K, T>, K, T);
nested_box!(HashMap<K, T, S>, K, T, S);
