//! The place of a walk, in the new object and in the old object.

use crate::path::{Path, Step};
use k8s_json_internals::equality::same;
use k8s_json_internals::keyed::{Index, Indexes, Keys};
use serde_json::Value;
use std::cell::OnceCell;

/// A place in the new object, and the place in the old object that it is compared with.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a, 'v> {
    pub(crate) new: Path<'a>,
    pub(crate) old: Path<'a>,
    /// True if elements of lists without keys are paired by position, since a merge takes such
    /// lists as a whole from the applied object.
    lists_are_one: bool,
    /// The outermost list around the place in which the element has no old element.
    pub(crate) list: Option<&'a WholeList<'a>>,
    /// The indexes of old lists that the walk has made so far.
    indexes: &'a Indexes<'v>,
    /// The number of lists around the place.
    lists: usize,
}

impl<'a, 'v> Place<'a, 'v> {
    /// Returns the place where a walk begins.
    #[doc(hidden)]
    #[must_use]
    pub const fn root(indexes: &'a Indexes<'v>) -> Self {
        Self {
            new: Path::ROOT,
            old: Path::ROOT,
            lists_are_one: false,
            list: None,
            indexes,
            lists: 0,
        }
    }

    /// Returns the place of a walk through a merged object, whose old object is the applied object.
    #[doc(hidden)]
    #[must_use]
    pub const fn applied(indexes: &'a Indexes<'v>) -> Self {
        Self {
            lists_are_one: true,
            ..Self::root(indexes)
        }
    }

    /// Returns the index of the old elements of the list at this place.
    #[doc(hidden)]
    pub fn index<'i, T, K: Keys<T>>(
        &self,
        old: Option<&'v [T]>,
        keys: &'i K,
    ) -> Index<'a, 'v, T, &'i K> {
        Index::among(old, keys, self.indexes, self.lists)
    }

    /// Returns the list at this place, if the old object has the list too. It is the comparison for
    /// elements that do not have an old element.
    #[doc(hidden)]
    #[must_use]
    pub fn list<T>(&self, old: Option<&[T]>) -> Option<WholeList<'_>> {
        old.map(|_| WholeList::new(self.new, self.old))
    }

    /// Returns the old element for an element of the list at this place, and the position of the
    /// old element.
    #[doc(hidden)]
    pub fn old_element<T, K: Keys<T>>(
        &self,
        position: usize,
        new: &T,
        old: Option<&'v [T]>,
        index: &mut Index<'_, 'v, T, K>,
    ) -> Option<(usize, &'v T)> {
        if self.lists_are_one && !index.has_keys() {
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
        list: Option<&WholeList<'_>>,
        go_on: impl FnOnce(Option<&'v T>, &Place<'_, 'v>) -> R,
    ) -> R {
        // Without an old element, the position is one that no list has.
        let (step, old) = old.map_or((usize::MAX, None), |(at, old)| (at, Some(old)));
        let place = Place {
            new: self.new.step(Step::Index(position)),
            old: self.old.step(Step::Index(step)),
            list: self.list.or(list.filter(|_| old.is_none())),
            lists: self.lists + 1,
            ..*self
        };
        go_on(old, &place)
    }

    /// Continues the walk one step below, in both objects, and returns the result of `go_on`.
    #[doc(hidden)]
    pub fn step<R>(&self, step: Step<'_>, go_on: impl FnOnce(&Place<'_, 'v>) -> R) -> R {
        go_on(&Place {
            new: self.new.step(step),
            old: self.old.step(step),
            ..*self
        })
    }

    /// Returns the path of the place in the new object.
    #[must_use]
    pub const fn path(&self) -> &Path<'a> {
        &self.new
    }

    /// Continues the walk in the field with this JSON name, in both objects, and returns the result
    /// of `go_on`.
    pub fn field<R>(&self, name: &str, go_on: impl FnOnce(&Place<'_, 'v>) -> R) -> R {
        self.step(Step::Field(name), go_on)
    }

    /// Returns the same place, with the indexes of other old lists.
    pub(crate) const fn with_indexes<'o>(&self, indexes: &'a Indexes<'o>) -> Place<'a, 'o> {
        Place {
            new: self.new,
            old: self.old,
            lists_are_one: self.lists_are_one,
            list: self.list,
            indexes,
            lists: self.lists,
        }
    }
}

/// A list that both objects have, around elements that do not have old elements. It is the nearest
/// correlated value (KEP-4008): a violation in such an element is not new if the list is unchanged.
#[derive(Clone, Debug)]
pub struct WholeList<'a> {
    pub(crate) new: Path<'a>,
    pub(crate) old: Path<'a>,
    /// The result of the comparison, kept for all violations in the list.
    is_unchanged: OnceCell<bool>,
}

impl<'a> WholeList<'a> {
    pub(crate) const fn new(new: Path<'a>, old: Path<'a>) -> Self {
        Self {
            new,
            old,
            is_unchanged: OnceCell::new(),
        }
    }

    /// Returns true if the lists of these objects are equal.
    pub(crate) fn is_unchanged(&self, new: &Value, old: &Value) -> bool {
        let compare = || hold_the_same(&self.new, new, &self.old, old);
        *self.is_unchanged.get_or_init(compare)
    }
}

/// Returns true if the new object has the same value at `at` as the old object at `at_old`.
pub(crate) fn hold_the_same(at: &Path<'_>, new: &Value, at_old: &Path<'_>, old: &Value) -> bool {
    match (at.find(new), at_old.find(old)) {
        (Some(new), Some(old)) => same(new, old),
        _ => false,
    }
}
