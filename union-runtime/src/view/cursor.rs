//! The place of a walk, in the new object and in the old object. `Comparison` of the comparator
//! needs both objects as JSON instead, where the same update takes 77 times as long
//! (`tests/benches`: `update_echo` of typed objects, and `echo` of JSON objects).

use crate::path::{Path, PathStep};
use k8s_json_internals::element_index::{ElementKeys, IndexCache, OldElementIndex};
use k8s_json_internals::equality::deep_equal;
use serde_json::Value;
use std::cell::OnceCell;

/// A place in the new object, and the place in the old object that it is compared with.
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct Cursor<'a, 'v> {
    pub(crate) new: Path<'a>,
    pub(crate) old: Path<'a>,
    /// True if elements of lists without keys are paired by position, since a merge takes such
    /// lists as a whole from the applied object.
    pairs_by_position: bool,
    /// The outermost list around the place in which the element has no old element.
    pub(crate) list: Option<&'a AtomicList<'a>>,
    /// The indexes of old lists that the walk has made so far.
    indexes: &'a IndexCache<'v>,
    /// The number of lists around the place.
    lists: usize,
}

impl<'a, 'v> Cursor<'a, 'v> {
    /// Returns the place where a walk begins.
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

    /// Returns the place of a walk through a merged object, whose old object is the applied object.
    #[doc(hidden)]
    pub const fn for_merge(indexes: &'a IndexCache<'v>) -> Self {
        Self {
            pairs_by_position: true,
            ..Self::root(indexes)
        }
    }

    /// Returns the index of the old elements of the list at this place.
    #[doc(hidden)]
    pub fn index<'i, T, K: ElementKeys<T>>(
        &self,
        old: Option<&'v [T]>,
        keys: &'i K,
    ) -> OldElementIndex<'a, 'v, T, &'i K> {
        OldElementIndex::new(old, keys, self.indexes, self.lists)
    }

    /// Returns the list at this place, if the old object has the list too. It is the comparison for
    /// elements that do not have an old element.
    #[doc(hidden)]
    #[must_use]
    pub fn list<T>(&self, old: Option<&[T]>) -> Option<AtomicList<'_>> {
        old.map(|_| AtomicList::new(self.new, self.old))
    }

    /// Returns the old element for an element of the list at this place, and the position of the
    /// old element.
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

    /// Continues the walk in an element of the list at this place, with its old element.
    #[doc(hidden)]
    pub fn element<R, T>(
        &self,
        position: usize,
        old: Option<(usize, &'v T)>,
        list: Option<&AtomicList<'_>>,
        go_on: impl FnOnce(Option<&'v T>, &Cursor<'_, 'v>) -> R,
    ) -> R {
        // Without an old element, the position is one that no list has.
        let (step, old) = old.map_or((usize::MAX, None), |(at, old)| (at, Some(old)));
        let place = Cursor {
            new: self.new.step(PathStep::Index(position)),
            old: self.old.step(PathStep::Index(step)),
            list: self.list.or(list.filter(|_| old.is_none())),
            lists: self.lists + 1,
            ..*self
        };
        go_on(old, &place)
    }

    /// Continues the walk one step below, in both objects, and returns the result of `go_on`.
    #[doc(hidden)]
    pub fn step<R>(&self, step: PathStep<'_>, go_on: impl FnOnce(&Cursor<'_, 'v>) -> R) -> R {
        go_on(&Cursor {
            new: self.new.step(step),
            old: self.old.step(step),
            ..*self
        })
    }

    /// Returns the path of the place in the new object.
    pub const fn path(&self) -> &Path<'a> {
        &self.new
    }

    /// Continues the walk in the field with this JSON name, in both objects, and returns the result
    /// of `go_on`.
    pub fn field<R>(&self, name: &str, go_on: impl FnOnce(&Cursor<'_, 'v>) -> R) -> R {
        self.step(PathStep::Field(name), go_on)
    }

    /// Returns the same place, with the indexes of other old lists.
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

/// A list that both objects have, around elements that do not have old elements. It is the nearest
/// correlated value (KEP-4008): a violation in such an element is not new if the list is unchanged.
#[derive(Clone, Debug)]
pub struct AtomicList<'a> {
    pub(crate) new: Path<'a>,
    pub(crate) old: Path<'a>,
    /// The result of the comparison, kept for all violations in the list.
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

/// Returns true if the new object has the same value at `at` as the old object at `at_old`.
pub(crate) fn has_equal_values(at: &Path<'_>, new: &Value, at_old: &Path<'_>, old: &Value) -> bool {
    match (at.find(new), at_old.find(old)) {
        (Some(new), Some(old)) => deep_equal(new, old),
        _ => false,
    }
}
