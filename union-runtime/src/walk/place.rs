//! Where a walk is, in the new object and in the old one.

use serde_json::Value;

use super::path::{Path, Step};
use super::whole_list::{WholeList, hold_the_same};
use k8s_json_internals::keyed::{Index, Indexes, Keys};

/// A place in the new object and the one in the old object that it is compared with.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    pub(crate) new: Path<'a>,
    pub(crate) old: Path<'a>,
    /// Whether lists without keys are one list: a merge takes them as a whole from what was applied.
    lists_are_one: bool,
    /// The list that it is in without an old one of its own.
    pub(crate) list: Option<&'a WholeList<'a>>,
    /// What was made of old lists so far.
    indexes: &'a Indexes,
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
    ) -> Index<'i, T, &'i K>
    where
        'a: 'i,
    {
        Index::among(old, keys, self.indexes)
    }

    /// The list that stands here, if the old object has it too, for elements that have no old one.
    pub(crate) fn list<T>(&self, old: Option<&[T]>) -> Option<WholeList<'_>> {
        old.map(|_| WholeList::new(self.new, self.old))
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
        list: Option<&WholeList<'_>>,
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
        hold_the_same(&self.new, new, &self.old, old)
    }

    /// Goes on in the field with this JSON name, in both objects, and gives what `go_on` gives.
    pub fn field<R>(&self, name: &str, go_on: impl FnOnce(&Place<'_>) -> R) -> R {
        self.steps(Step::Field(name), Step::Field(name), go_on)
    }
}
