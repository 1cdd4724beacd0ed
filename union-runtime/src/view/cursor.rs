//! The position of a walk, in the new object and in the old object.
//!
//! A `Comparison` of the comparator has the same purpose, but needs both objects as JSON. With a
//! `Comparison`, the same update takes 77 times as long (`tests/benches`: `update_echo` of typed
//! objects, and `echo` of JSON objects).

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
    pub(crate) new_path: Path<'a>,
    pub(crate) old_path: Path<'a>,
    /// True if elements of lists without keys are paired by position. A merge replaces such a list
    /// by the list of the applied object, so elements have the same positions in both lists.
    pairs_by_position: bool,
    /// The outermost list on the path whose element on the path has no old element. `None` if there
    /// is no such list, or if the old object does not have the list.
    pub(crate) atomic_list: Option<&'a AtomicList<'a>>,
    /// The indexes of old lists that the walk has built so far.
    index_cache: &'a IndexCache<'v>,
    /// The number of lists that contain the value.
    list_depth: usize,
}

impl<'a, 'v> Cursor<'a, 'v> {
    /// Creates the cursor at the start of a walk.
    #[doc(hidden)]
    pub const fn root(index_cache: &'a IndexCache<'v>) -> Self {
        Self {
            new_path: Path::ROOT,
            old_path: Path::ROOT,
            pairs_by_position: false,
            atomic_list: None,
            index_cache,
            list_depth: 0,
        }
    }

    /// Creates the cursor at the start of a walk through a merged object, whose old object is the
    /// applied object.
    #[doc(hidden)]
    pub const fn for_merge(index_cache: &'a IndexCache<'v>) -> Self {
        Self {
            pairs_by_position: true,
            ..Self::root(index_cache)
        }
    }

    /// Returns the index of the old elements of the list at the cursor.
    #[doc(hidden)]
    pub fn old_element_index<'i, T, K: ElementKeys<T>>(
        &self,
        old_elements: Option<&'v [T]>,
        keys: &'i K,
    ) -> OldElementIndex<'a, 'v, T, &'i K> {
        OldElementIndex::new(old_elements, keys, self.index_cache, self.list_depth)
    }

    /// Returns the list at the cursor, if the old object has the list too. Errors in elements
    /// without an old element are tolerated if the whole list is unchanged.
    #[doc(hidden)]
    #[must_use]
    pub fn atomic_list<T>(&self, old_elements: Option<&[T]>) -> Option<AtomicList<'_>> {
        old_elements.map(|_| AtomicList::new(self.new_path, self.old_path))
    }

    /// Returns the position and the value of the old element of an element of the list at the
    /// cursor.
    #[doc(hidden)]
    pub fn old_element<T, K: ElementKeys<T>>(
        &self,
        position: usize,
        new_element: &T,
        old_elements: Option<&'v [T]>,
        index: &mut OldElementIndex<'_, 'v, T, K>,
    ) -> Option<(usize, &'v T)> {
        if self.pairs_by_position && !index.has_keys() {
            return Some((position, old_elements?.get(position)?));
        }
        index.find(new_element)
    }

    /// Calls `visit` with the old element and the cursor of an element of the list at the cursor.
    /// `old_element` has the position and the value of the old element.
    #[doc(hidden)]
    pub fn element<R, T>(
        &self,
        position: usize,
        old_element: Option<(usize, &'v T)>,
        atomic_list: Option<&AtomicList<'_>>,
        visit: impl FnOnce(Option<&'v T>, &Cursor<'_, 'v>) -> R,
    ) -> R {
        // Without an old element, the old position is a position that no list has.
        let old_position = old_element.map_or(usize::MAX, |(position, _)| position);
        let atomic_list = atomic_list.filter(|_| old_element.is_none());
        let cursor = Cursor {
            new_path: self.new_path.step(PathStep::Index(position)),
            old_path: self.old_path.step(PathStep::Index(old_position)),
            atomic_list: self.atomic_list.or(atomic_list),
            list_depth: self.list_depth + 1,
            ..*self
        };
        visit(old_element.map(|(_, value)| value), &cursor)
    }

    /// Calls `visit` with the cursor of the value at a step, in both objects, and returns the
    /// result of `visit`.
    #[doc(hidden)]
    pub fn step<R>(&self, step: PathStep<'_>, visit: impl FnOnce(&Cursor<'_, 'v>) -> R) -> R {
        visit(&Cursor {
            new_path: self.new_path.step(step),
            old_path: self.old_path.step(step),
            ..*self
        })
    }

    /// Returns the path in the new object.
    pub const fn path(&self) -> &Path<'a> {
        &self.new_path
    }

    /// Calls `visit` with the cursor of the field with this JSON name, in both objects, and returns
    /// the result of `visit`.
    pub fn field<R>(&self, name: &str, visit: impl FnOnce(&Cursor<'_, 'v>) -> R) -> R {
        self.step(PathStep::Field(name), visit)
    }

    /// Returns the same cursor with another cache, for an old object with another lifetime.
    pub(crate) const fn with_index_cache<'o>(&self, cache: &'a IndexCache<'o>) -> Cursor<'a, 'o> {
        Cursor {
            new_path: self.new_path,
            old_path: self.old_path,
            pairs_by_position: self.pairs_by_position,
            atomic_list: self.atomic_list,
            index_cache: cache,
            list_depth: self.list_depth,
        }
    }
}

/// A list that both objects have, for its elements without an old element. The list is the nearest
/// correlated value of these elements (KEP-4008): an error in such an element is not new if the
/// whole list is unchanged.
#[derive(Clone, Debug)]
pub struct AtomicList<'a> {
    new_path: Path<'a>,
    old_path: Path<'a>,
    /// The result of the comparison, which all violations in the list share.
    is_unchanged: OnceCell<bool>,
}

impl<'a> AtomicList<'a> {
    const fn new(new_path: Path<'a>, old_path: Path<'a>) -> Self {
        Self {
            new_path,
            old_path,
            is_unchanged: OnceCell::new(),
        }
    }

    /// Returns true if the lists of these objects are equal.
    pub(crate) fn is_unchanged(&self, objects: [&Value; 2]) -> bool {
        let compare = || are_equal_at([&self.new_path, &self.old_path], objects);
        *self.is_unchanged.get_or_init(compare)
    }
}

/// Returns true if the new object has the same value at the new path as the old object at the old
/// path. Both arguments begin with the new path or object.
pub(crate) fn are_equal_at(paths: [&Path<'_>; 2], objects: [&Value; 2]) -> bool {
    let ([new_path, old_path], [new_object, old_object]) = (paths, objects);
    match (new_path.find(new_object), old_path.find(old_object)) {
        (Some(new_value), Some(old_value)) => deep_equal(new_value, old_value),
        _ => false,
    }
}
