//! The position of a walk, in the new object and in the old object. A `Comparison` of the
//! comparator has the same purpose, but needs both objects as JSON. There, the same update takes 77
//! times as long (`tests/benches`: `update_echo` of typed objects, and `echo` of JSON objects).

use crate::path::{Path, PathStep};
use k8s_json_internals::element_index::{ElementKeys, IndexCache, OldElementIndex};
use k8s_json_internals::equality::deep_equal;
use serde_json::Value;
use std::cell::OnceCell;

/// The position of a walk: the path of a value in the new object, and the path of the correlated
/// value in the old object.
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct Cursor<'a, 'v> {
    pub(crate) new: Path<'a>,
    pub(crate) old: Path<'a>,
    /// True if elements of lists without keys are paired by position. A merge replaces such a list
    /// by the list of the applied object, so the positions in both are the same.
    pairs_by_position: bool,
    /// The outermost list on the path in which the element has no old element.
    pub(crate) list: Option<&'a AtomicList<'a>>,
    /// The indexes of old lists that the walk has built so far.
    indexes: &'a IndexCache<'v>,
    /// The number of lists that contain the value.
    lists: usize,
}

impl<'a, 'v> Cursor<'a, 'v> {
    /// Creates the cursor at the start of a walk.
    #[doc(hidden)]
    pub const fn root(indexes: &'a IndexCache<'v>) -> Self {
        Self {
            new: Path::ROOT,
            old: Path::ROOT,
            pairs_by_position: false,
            list: None,
            indexes,
            lists: 0,
        }
    }

    /// Creates the cursor at the start of a walk through a merged object, whose old object is the
    /// applied object.
    #[doc(hidden)]
    pub const fn for_merge(indexes: &'a IndexCache<'v>) -> Self {
        Self {
            pairs_by_position: true,
            ..Self::root(indexes)
        }
    }

    /// Returns the index of the old elements of the list at the cursor.
    #[doc(hidden)]
    pub fn index<'i, T, K: ElementKeys<T>>(
        &self,
        old: Option<&'v [T]>,
        keys: &'i K,
    ) -> OldElementIndex<'a, 'v, T, &'i K> {
        OldElementIndex::new(old, keys, self.indexes, self.lists)
    }

    /// Returns the list at the cursor, if the old object has the list too. Elements without an old
    /// element are compared by the whole list.
    #[doc(hidden)]
    #[must_use]
    pub fn list<T>(&self, old: Option<&[T]>) -> Option<AtomicList<'_>> {
        old.map(|_| AtomicList::new(self.new, self.old))
    }

    /// Returns the position and the value of the old element of an element of the list at the
    /// cursor.
    #[doc(hidden)]
    pub fn old_element<T, K: ElementKeys<T>>(
        &self,
        position: usize,
        new: &T,
        old: Option<&'v [T]>,
        index: &mut OldElementIndex<'_, 'v, T, K>,
    ) -> Option<(usize, &'v T)> {
        if self.pairs_by_position && !index.has_keys() {
            return old?.get(position).map(|old| (position, old));
        }
        index.find(new)
    }

    /// Calls `visit` with the old element and the cursor of an element of the list at the cursor.
    #[doc(hidden)]
    pub fn element<R, T>(
        &self,
        position: usize,
        old: Option<(usize, &'v T)>,
        list: Option<&AtomicList<'_>>,
        visit: impl FnOnce(Option<&'v T>, &Cursor<'_, 'v>) -> R,
    ) -> R {
        // Without an old element, the old position is a position that no list has.
        let (old_position, old) = old.map_or((usize::MAX, None), |(i, old)| (i, Some(old)));
        let cursor = Cursor {
            new: self.new.step(PathStep::Index(position)),
            old: self.old.step(PathStep::Index(old_position)),
            list: self.list.or(list.filter(|_| old.is_none())),
            lists: self.lists + 1,
            ..*self
        };
        visit(old, &cursor)
    }

    /// Calls `visit` with the cursor one step below, in both objects, and returns the result of
    /// `visit`.
    #[doc(hidden)]
    pub fn step<R>(&self, step: PathStep<'_>, visit: impl FnOnce(&Cursor<'_, 'v>) -> R) -> R {
        visit(&Cursor {
            new: self.new.step(step),
            old: self.old.step(step),
            ..*self
        })
    }

    /// Returns the path in the new object.
    pub const fn path(&self) -> &Path<'a> {
        &self.new
    }

    /// Calls `visit` with the cursor of the field with this JSON name, in both objects, and returns
    /// the result of `visit`.
    pub fn field<R>(&self, name: &str, visit: impl FnOnce(&Cursor<'_, 'v>) -> R) -> R {
        self.step(PathStep::Field(name), visit)
    }

    /// Returns the same cursor, for old lists with another lifetime.
    pub(crate) const fn with_indexes<'o>(&self, indexes: &'a IndexCache<'o>) -> Cursor<'a, 'o> {
        Cursor {
            new: self.new,
            old: self.old,
            pairs_by_position: self.pairs_by_position,
            list: self.list,
            indexes,
            lists: self.lists,
        }
    }
}

/// A list that both objects have, and whose new elements have no old elements. The list is the
/// nearest correlated value of its elements (KEP-4008): an error in such an element is not new if
/// the list is unchanged.
#[derive(Clone, Debug)]
pub struct AtomicList<'a> {
    pub(crate) new: Path<'a>,
    pub(crate) old: Path<'a>,
    /// The result of the comparison, which all violations in the list share.
    is_unchanged: OnceCell<bool>,
}

impl<'a> AtomicList<'a> {
    pub(crate) const fn new(new: Path<'a>, old: Path<'a>) -> Self {
        Self {
            new,
            old,
            is_unchanged: OnceCell::new(),
        }
    }

    /// Returns true if the lists of these objects are equal.
    pub(crate) fn is_unchanged(&self, new: &Value, old: &Value) -> bool {
        let compare = || has_equal_values(&self.new, new, &self.old, old);
        *self.is_unchanged.get_or_init(compare)
    }
}

/// Returns true if the new object has the same value at `at` as the old object at `old_at`.
pub(crate) fn has_equal_values(at: &Path<'_>, new: &Value, old_at: &Path<'_>, old: &Value) -> bool {
    match (at.find(new), old_at.find(old)) {
        (Some(new), Some(old)) => deep_equal(new, old),
        _ => false,
    }
}
