//! The values of a discriminator, and their storage.

use core::fmt;

/// The values of a discriminator, as strings.
#[derive(Clone, Copy)]
pub struct DiscriminatorValues<'a>(ValueStorage<'a>);

/// The storage of the values of a discriminator.
#[derive(Clone, Copy)]
enum ValueStorage<'a> {
    /// Values that the author's crate declares.
    Static(&'a [&'a str]),
    /// Values that were read from a schema.
    Owned(&'a [Box<str>]),
}

impl<'a> DiscriminatorValues<'a> {
    pub(crate) const NONE: Self = Self::from_static(&[]);

    pub(crate) const fn from_static(values: &'a [&'a str]) -> Self {
        Self(ValueStorage::Static(values))
    }

    pub(crate) const fn from_owned(values: &'a [Box<str>]) -> Self {
        Self(ValueStorage::Owned(values))
    }

    /// Returns the number of values.
    #[must_use]
    pub const fn len(self) -> usize {
        match self.0 {
            ValueStorage::Static(values) => values.len(),
            ValueStorage::Owned(values) => values.len(),
        }
    }

    /// Returns true if there are no values.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// Returns the value at a position, or `None` if the position is out of range.
    #[must_use]
    pub fn get(self, position: usize) -> Option<&'a str> {
        match self.0 {
            ValueStorage::Static(values) => values.get(position).copied(),
            ValueStorage::Owned(values) => values.get(position).map(|value| &**value),
        }
    }

    /// Returns an iterator over the values, in order.
    #[must_use]
    pub fn iter(self) -> impl ExactSizeIterator<Item = &'a str> + Clone {
        (0..self.len()).map(move |position| self.get(position).unwrap_or_default())
    }

    /// Returns true if a string is one of the values.
    #[must_use]
    pub fn contains(self, value: &str) -> bool {
        self.position(value).is_some()
    }

    /// Returns the position of the first value that equals a string, or `None` if no value equals
    /// the string.
    #[must_use]
    pub fn position(self, string: &str) -> Option<usize> {
        self.iter().position(|value| value == string)
    }
}

impl fmt::Debug for DiscriminatorValues<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// Compares the values in order. The storage does not matter.
impl PartialEq for DiscriminatorValues<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl<const N: usize> PartialEq<[&str; N]> for DiscriminatorValues<'_> {
    fn eq(&self, other: &[&str; N]) -> bool {
        self.iter().eq(other.iter().copied())
    }
}

/// The number of values of an enum type that can have a member: the first 64, because masks of
/// members are `u64` with one bit per value.
pub const MAX_VALUES: usize = 64;

/// The values of an enum type, and a key for each value: a hash of the value in lower case, which
/// `#[derive(EnumType)]` computes. The list of keys is empty if two values have the same key, or if
/// `EnumType` is implemented by hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct StaticValues {
    pub(crate) values: &'static [&'static str],
    pub(crate) keys: &'static [u64],
}

impl StaticValues {
    pub(crate) const NONE: Self = Self {
        values: &[],
        keys: &[],
    };
}
