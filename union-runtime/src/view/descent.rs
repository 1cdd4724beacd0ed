//! A walk down a new value and the old value that it is correlated with.

use core::ops::Deref;

use super::cursor::Cursor;
use crate::path::PathStep;
use k8s_json_internals::element_index::{ElementKeys, IndexCache};

/// The state of a walk at a value of type `T`: the old value, the cursor, and the visitor, which is
/// a [`Visitor`](crate::spec::Visitor) or a [`VisitorMut`](crate::spec::VisitorMut).
pub struct Descent<'w, 'v, T: ?Sized, V: ?Sized> {
    /// The old value that the new value is correlated with, if there is one.
    pub old: Option<&'v T>,
    /// True for a flattened value whose struct has an old struct. If the flattened value itself has
    /// no old value, its old unions count as unions without set members.
    pub(crate) is_flattened: bool,
    pub(crate) cursor: &'w Cursor<'w, 'v>,
    pub(crate) visitor: &'w mut V,
}

impl<'w, 'v, T: ?Sized, V: ?Sized> Descent<'w, 'v, T, V> {
    pub(crate) const fn new(
        old: Option<&'v T>,
        cursor: &'w Cursor<'w, 'v>,
        visitor: &'w mut V,
    ) -> Self {
        Self {
            old,
            is_flattened: false,
            cursor,
            visitor,
        }
    }

    /// Returns the same walk with a shorter borrow, so that the caller can use this walk again
    /// afterwards.
    pub(crate) const fn reborrow(&mut self) -> Descent<'_, 'v, T, V> {
        Descent {
            is_flattened: self.is_flattened,
            ..Descent::new(self.old, self.cursor, self.visitor)
        }
    }

    /// Returns the walk at an inner value with the same path, such as the value in a box.
    /// `get` returns the inner value of the old value.
    pub(crate) fn map<U: ?Sized>(
        self,
        get: impl FnOnce(&'v T) -> Option<&'v U>,
    ) -> Descent<'w, 'v, U, V> {
        Descent {
            is_flattened: self.is_flattened,
            ..Descent::new(self.old.and_then(get), self.cursor, self.visitor)
        }
    }

    /// Continues the walk in the field with this JSON name. `get` returns the field of the old
    /// value.
    pub fn field<U: 'v>(
        &mut self,
        name: &str,
        get: impl FnOnce(&'v T) -> &'v U,
        visit: impl FnOnce(Descent<'_, 'v, U, V>),
    ) {
        let (old, visitor) = (self.old.map(get), &mut *self.visitor);
        self.cursor
            .field(name, |cursor| visit(Descent::new(old, cursor, visitor)));
    }

    /// Returns the walk at a flattened value, which has the same path as its struct. `get`
    /// returns the flattened value of the old struct.
    pub fn flattened<U: 'v>(&mut self, get: impl FnOnce(&'v T) -> &'v U) -> Descent<'_, 'v, U, V> {
        Descent {
            is_flattened: self.old.is_some(),
            ..Descent::new(self.old.map(get), self.cursor, self.visitor)
        }
    }

    /// Continues the walk in the field of a member of a union enum. `raw_old` is the old member, if
    /// the old object fits no variant but its member can be deserialized. `raw_old` and the indexes
    /// of its lists are dropped after the visit.
    pub fn member<M>(
        &mut self,
        name: &str,
        raw_old: Option<M>,
        old: Option<&'v M>,
        visit: impl for<'o> FnOnce(Descent<'_, 'o, M, V>),
    ) {
        let visitor = &mut *self.visitor;
        self.cursor.field(name, |cursor| match raw_old {
            None => visit(Descent::new(old, cursor, visitor)),
            Some(raw_old) => {
                let index_cache = IndexCache::default();
                let cursor = cursor.with_index_cache(&index_cache);
                visit(Descent::new(Some(&raw_old), &cursor, visitor));
            }
        });
    }

    /// Continues the walk in the entries of a map. `find_old` returns the old value of a key.
    pub(crate) fn entries<K: AsRef<str>, R, U: 'v>(
        self,
        entries: impl IntoIterator<Item = (K, R)>,
        find_old: impl Fn(&'v T, &K) -> Option<&'v U>,
        mut visit: impl FnMut(R, Descent<'_, 'v, U, V>),
    ) {
        for (key, new_value) in entries {
            let old_value = self.old.and_then(|old_map| find_old(old_map, &key));
            let (step, visitor) = (PathStep::Key(key.as_ref()), &mut *self.visitor);
            self.cursor.step(step, |cursor| {
                visit(new_value, Descent::new(old_value, cursor, visitor));
            });
        }
    }
}

impl<'v, T, V: ?Sized> Descent<'_, 'v, [T], V> {
    /// Continues the walk in the elements of a list. `keys` correlate the new elements with the old
    /// elements.
    pub(crate) fn elements<R: Deref<Target = T>>(
        self,
        new_elements: impl IntoIterator<Item = R>,
        keys: &impl ElementKeys<T>,
        mut visit: impl FnMut(R, Descent<'_, 'v, T, V>),
    ) {
        let (cursor, old_elements) = (self.cursor, self.old);
        let mut index = cursor.old_element_index(old_elements, keys);
        let list = cursor.atomic_list(old_elements);
        for (i, new) in new_elements.into_iter().enumerate() {
            let old_element = cursor.old_element(i, &*new, old_elements, &mut index);
            let visitor = &mut *self.visitor;
            cursor.element(i, old_element, list.as_ref(), |old, cursor| {
                visit(new, Descent::new(old, cursor, visitor));
            });
        }
    }
}
