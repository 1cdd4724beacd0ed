//! Lists whose elements have keys. New elements are correlated with old elements by these keys.
use crate::union_spec::EnumType;
use crate::view::{Descent, Nested, Visitor, VisitorMut};
use k8s_json_internals::element_index::{ElementKeys, KeyTuple};
use k8s_json_internals::key::Key;

/// A struct with key fields (`#[union(key)]`), whose values identify the struct in a list.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no keys",
    label = "no field of the elements has `#[union(key)]`",
    note = "mark the fields that `list_map_keys` names with `#[union(key)]` in the struct of the elements"
)]
pub trait Keyed {
    /// The JSON names of the key fields.
    const KEYS: &'static [&'static str];

    /// Returns the value of the key field at a position of [`KEYS`](Self::KEYS), or `None` if the
    /// field is absent.
    fn key(&self, position: usize) -> Option<Key<'_>>;
}

#[diagnostic::do_not_recommend]
impl<T: Keyed> Keyed for Box<T> {
    const KEYS: &'static [&'static str] = T::KEYS;

    fn key(&self, position: usize) -> Option<Key<'_>> {
        (**self).key(position)
    }
}

/// A field that can have `#[union(key)]`: a string, an integer, a bool, an enum type, or an
/// `Option` of one of these.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a key",
    label = "neither a string, an integer, a bool, an enum type, nor an `Option` of one",
    note = "API servers accept only such fields as keys of a list (`x-kubernetes-list-map-keys`)"
)]
pub trait KeyField {
    /// Returns the value of the field, or `None` if the field is absent.
    fn key(&self) -> Option<Key<'_>>;
}

#[diagnostic::do_not_recommend]
impl<E: EnumType> KeyField for E {
    fn key(&self) -> Option<Key<'_>> {
        Some(Key::Str(self.as_str()))
    }
}

macro_rules! key_fields {
    ($($field:ty)*) => {$(
        #[diagnostic::do_not_recommend]
        impl KeyField for $field {
            fn key(&self) -> Option<Key<'_>> {
                Some(Key::from(self))
            }
        }
    )*};
}

key_fields!(String bool i8 i16 i32 i64 u8 u16 u32 u64);

#[diagnostic::do_not_recommend]
impl<K: KeyField> KeyField for Option<K> {
    fn key(&self) -> Option<Key<'_>> {
        self.as_ref().and_then(KeyField::key)
    }
}

/// A field with `list_map_keys`: a list of structs with keys, or an `Option` or `Box` of such a
/// list. In the schema, the field is a list of type map, with `x-kubernetes-list-map-keys`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a list of structs with keys",
    label = "`list_map_keys` is for lists of structs with `#[union(key)]` fields",
    note = "mark the key fields in the struct of the elements; remove `list_map_keys` from a map, whose values are correlated by the keys of the map"
)]
pub trait ListMap {
    /// The struct of the elements.
    type Element: Keyed + Nested;

    /// The JSON names of the key fields of the elements.
    const KEYS: &'static [&'static str] = <Self::Element as Keyed>::KEYS;

    /// Returns the elements.
    fn elements(&self) -> &[Self::Element];

    /// Returns the elements, mutably.
    fn elements_mut(&mut self) -> &mut [Self::Element];

    /// Returns true if every union in the list is settled.
    fn elements_are_settled(&self) -> bool {
        self.elements().iter().all(Nested::is_settled)
    }

    /// Passes every node in the list to a visitor. Elements are correlated by `keys`, which are
    /// positions in [`KEYS`](Self::KEYS). If several old elements have the same keys, the first
    /// element is used, as on an API server.
    fn walk_elements(&self, keys: &[usize], descent: Descent<'_, '_, Self, dyn Visitor + '_>) {
        let descent = descent.map(|old| Some(old.elements()));
        descent.elements(self.elements(), &KeyPositions(keys), Nested::walk);
    }

    /// Passes every node in the list to a visitor that may change the nodes.
    fn walk_elements_mut(
        &mut self,
        keys: &[usize],
        descent: Descent<'_, '_, Self, dyn VisitorMut + '_>,
    ) {
        let descent = descent.map(|old| Some(old.elements()));
        descent.elements(self.elements_mut(), &KeyPositions(keys), Nested::walk_mut);
    }
}

#[diagnostic::do_not_recommend]
impl<T: Keyed + Nested> ListMap for Vec<T> {
    type Element = T;

    fn elements(&self) -> &[T] {
        self
    }

    fn elements_mut(&mut self) -> &mut [T] {
        self
    }
}

#[diagnostic::do_not_recommend]
impl<L: ListMap> ListMap for Option<L> {
    type Element = L::Element;

    fn elements(&self) -> &[L::Element] {
        self.as_ref().map_or(&[], ListMap::elements)
    }

    fn elements_mut(&mut self) -> &mut [L::Element] {
        self.as_mut().map_or(&mut [], ListMap::elements_mut)
    }
}

#[diagnostic::do_not_recommend]
impl<L: ListMap> ListMap for Box<L> {
    type Element = L::Element;

    fn elements(&self) -> &[L::Element] {
        (**self).elements()
    }

    fn elements_mut(&mut self) -> &mut [L::Element] {
        (**self).elements_mut()
    }
}

/// Positions in [`Keyed::KEYS`].
struct KeyPositions<'k>(&'k [usize]);

impl<T: Keyed> ElementKeys<T> for KeyPositions<'_> {
    fn has_keys(&self) -> bool {
        true
    }

    fn key_tuple<'e>(&'e self, element: &'e T) -> Option<KeyTuple<'e>> {
        KeyTuple::of_element(self.0, |key| element.key(*key))
    }
}
