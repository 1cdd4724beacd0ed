//! A step of a path through a JSON value.

use core::cmp::Ordering;
use core::hash::{Hash, Hasher};

use serde_json::Value;

/// A step of a path.
///
/// `Field` and `Key` with the same name are equal, because both lead to the same value. Only their
/// printed forms differ. `Key("0")` and `Index(0)` are not equal.
#[derive(Clone, Copy, Debug)]
pub enum PathStep<'a> {
    /// A field of an object, printed as `.name`.
    Field(&'a str),
    /// An entry of a map, printed as `[name]`.
    Key(&'a str),
    /// An element of a list, printed as `[0]`.
    Index(usize),
}

impl<'a> PathStep<'a> {
    /// Returns the name of the field or the entry, or `None` for an element of a list.
    #[must_use]
    pub const fn name(self) -> Option<&'a str> {
        match self {
            Self::Field(name) | Self::Key(name) => Some(name),
            Self::Index(_) => None,
        }
    }

    /// Returns the value at this step in `value`, if there is one.
    #[must_use]
    pub fn find(self, value: &Value) -> Option<&Value> {
        match self {
            Self::Field(name) | Self::Key(name) => value.as_object()?.get(name),
            Self::Index(index) => value.as_array()?.get(index),
        }
    }

    /// Returns an estimate of the number of bytes in the printed form.
    #[must_use]
    pub const fn printed_len(self) -> usize {
        match self {
            Self::Field(name) => name.len() + 1,
            Self::Key(name) => name.len() + 2,
            // An index above 9,999 is longer, and costs one more allocation.
            Self::Index(_) => 6,
        }
    }

    /// Returns the part of the step that comparisons use: the index as `Ok`, or the name as `Err`.
    const fn identity(self) -> Result<usize, &'a str> {
        match self {
            Self::Index(index) => Ok(index),
            Self::Field(name) | Self::Key(name) => Err(name),
        }
    }
}

impl PartialEq for PathStep<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.identity() == other.identity()
    }
}

impl Eq for PathStep<'_> {}

impl PartialOrd for PathStep<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for PathStep<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.identity().cmp(&other.identity())
    }
}

impl Hash for PathStep<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.identity().hash(state);
    }
}
