//! A struct to be changed, beside the old one that it is correlated with.

use super::inline::Absent;
use super::union::Union;
use crate::view::node::{Node, NodeMut};

/// The new struct and the old one, as one [`NodeMut`].
pub(crate) struct NewAndOld<'a, T> {
    new: &'a mut T,
    old: Old<'a, T>,
}

enum Old<'a, T> {
    /// There is no old object.
    None,
    /// There is one, and it did not hold the struct: it said nothing.
    Silent(Absent),
    /// There is one.
    There(&'a T),
}

impl<'a, T: Union> NewAndOld<'a, T> {
    pub(crate) fn new(new: &'a mut T, old: Option<&'a T>) -> Self {
        Self {
            new,
            old: old.map_or(Old::None, Old::There),
        }
    }

    /// A flattened struct that appeared.
    pub(crate) fn appeared(new: &'a mut T) -> Self {
        Self {
            new,
            old: Old::Silent(Absent(T::unions())),
        }
    }
}

impl<T: Union> NodeMut for NewAndOld<'_, T> {
    fn node(&self) -> &dyn Node {
        self.new
    }

    fn old(&self) -> Option<&dyn Node> {
        match &self.old {
            Old::None => None,
            Old::Silent(absent) => Some(absent),
            Old::There(old) => Some(*old),
        }
    }

    fn clear(&mut self, union: usize, member: usize) {
        self.new.reset_member(None, union, member);
    }

    fn select(&mut self, union: usize, member: usize) {
        self.new.select_member(union, member);
    }

    fn restore(&mut self, union: usize, member: usize) -> bool {
        match &self.old {
            Old::There(old) => self.new.reset_member(Some(old), union, member),
            Old::None | Old::Silent(_) => false,
        }
    }

    fn clear_unknown(&mut self, value: &str) -> Vec<String> {
        let unknown = self.new.unknown_members();
        unknown.map_or_else(Vec::new, |unknown| unknown.take_named(value))
    }

    fn changed(&mut self) {
        self.new.reread();
    }
}
