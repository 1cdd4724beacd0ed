//! The members of a union, and their storage.

use super::values::MAX_VALUES;

/// A member in the generated code of the derive: the JSON name, the key (a hash of the name, by
/// which the discriminator value is found), and a flag that is true if the member is optional.
///
/// The row is a tuple of literals in a static list. It is never copied, which saves work in rustc's
/// interpreter.
pub type MemberRow = (&'static str, u64, bool);

/// The storage of the members of a union.
#[derive(Clone, Copy, Debug)]
pub(crate) enum MemberStorage<'a> {
    /// Members that the author's crate declares: the rows, the value index of each row, and all
    /// values of the discriminator.
    Rows(
        &'static [MemberRow],
        [u8; MAX_VALUES],
        &'static [&'static str],
    ),
    /// Members that the author's crate declares, as a list of specs.
    Specs(&'a [MemberSpec<'a>]),
    /// Members that were read from a schema.
    Owned(&'a [OwnedMember]),
}

/// A member that was read at run time.
#[derive(Clone, Debug)]
pub struct OwnedMember {
    pub(crate) name: Box<str>,
    pub(crate) value: Box<str>,
    pub(crate) value_index: u8,
    pub(crate) optional: bool,
}

impl OwnedMember {
    /// Creates a member from the JSON name of its field, its discriminator value, and the position
    /// of the value. Returns `None` if the position is not below [`MAX_VALUES`].
    pub fn new(
        name: impl Into<Box<str>>,
        value: impl Into<Box<str>>,
        position: usize,
        optional: bool,
    ) -> Option<Self> {
        let value_index = u8::try_from(position).ok()?;
        (position < MAX_VALUES).then(|| Self {
            name: name.into(),
            value: value.into(),
            value_index,
            optional,
        })
    }

    #[inline]
    fn spec(&self) -> MemberSpec<'_> {
        MemberSpec::new(&self.name, &self.value, self.value_index, self.optional)
    }

    pub(crate) fn from_spec(member: MemberSpec<'_>) -> Self {
        Self {
            name: member.name().into(),
            value: member.value().into(),
            value_index: member.value_index,
            optional: member.is_optional(),
        }
    }
}

impl<'a> MemberStorage<'a> {
    pub(crate) const fn len(&self) -> usize {
        match self {
            Self::Rows(rows, ..) => rows.len(),
            Self::Specs(members) => members.len(),
            Self::Owned(members) => members.len(),
        }
    }

    /// Returns the [`MemberSpec::value_index`] of the member at a position. The method is inlined,
    /// because this code runs for every object.
    #[inline]
    pub(crate) fn value_index(&self, position: usize) -> Option<u8> {
        match self {
            Self::Rows(rows, indexes, _) if position < rows.len() => indexes.get(position).copied(),
            Self::Rows(..) => None,
            Self::Specs(members) => members.get(position).map(|member| member.value_index),
            Self::Owned(members) => members.get(position).map(|member| member.value_index),
        }
    }

    /// Converts a mask whose bits are value indexes to a mask whose bits are positions of members.
    pub(crate) fn positions(&self, value_mask: u64) -> u64 {
        let mut remaining_bits = value_mask;
        while remaining_bits != 0 {
            let value = remaining_bits.trailing_zeros();
            // Fast path: members are usually in the order of their values, so that position and
            // value index are equal.
            if self.value_index(value as usize).map(u32::from) != Some(value) {
                let positions = (0..self.len()).filter(|position| {
                    let value = self.value_index(*position);
                    value.is_some_and(|value| value_mask & 1 << value != 0)
                });
                return positions.fold(0, |mask, position| mask | 1 << position);
            }
            remaining_bits &= remaining_bits - 1;
        }
        value_mask
    }

    /// Returns the member at a position.
    #[inline]
    pub(crate) fn get(&self, position: usize) -> Option<MemberSpec<'a>> {
        match *self {
            Self::Rows(rows, ref value_indexes, values) => {
                let (name, _, optional) = *rows.get(position)?;
                let index = *value_indexes.get(position)?;
                let value = values.get(usize::from(index)).copied().unwrap_or(name);
                Some(MemberSpec::new(name, value, index, optional))
            }
            Self::Specs(members) => members.get(position).copied(),
            Self::Owned(members) => members.get(position).map(OwnedMember::spec),
        }
    }
}

/// A member of a union: its JSON name, its discriminator value, and a flag that is true if the
/// member is optional.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MemberSpec<'a> {
    pub(crate) name: &'a str,
    pub(crate) value: &'a str,
    pub(crate) value_index: u8,
    pub(crate) optional: bool,
}

impl<'a> MemberSpec<'a> {
    /// Creates a member. Only the derives call this function.
    #[doc(hidden)]
    #[must_use]
    pub const fn new(name: &'a str, value: &'a str, value_index: u8, optional: bool) -> Self {
        Self {
            name,
            value,
            value_index,
            optional,
        }
    }

    /// Returns the JSON name of the field.
    #[must_use]
    pub const fn name(self) -> &'a str {
        self.name
    }

    /// Returns the discriminator value that selects the member. Members of unions without a
    /// discriminator also have a value, for tools.
    #[must_use]
    pub const fn value(self) -> &'a str {
        self.value
    }

    /// Returns the position of the member's discriminator value in
    /// [`DiscriminatorSpec::values`](crate::DiscriminatorSpec::values). If the values are not
    /// listed, returns the position of the member.
    #[must_use]
    #[inline]
    pub const fn value_index(self) -> usize {
        self.value_index as usize
    }

    /// Returns true if the discriminator may select the member while the member is unset.
    #[must_use]
    pub const fn is_optional(self) -> bool {
        self.optional
    }

    /// Returns the bit of the member in the masks of [`State`](crate::State).
    #[inline]
    pub(crate) const fn bit(self) -> u64 {
        1 << self.value_index
    }
}
