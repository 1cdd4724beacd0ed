//! The members of a union, in each kind of storage.

use super::values::MAX_VALUES;

/// A member as the derive writes it: its JSON name, the key by which its discriminator value is
/// found, and true if it is optional.
///
/// It is a tuple of literals in a static list. No part of it is copied, which saves work in rustc's
/// interpreter.
pub type MemberRow = (&'static str, u64, bool);

/// The storage of the members of a union.
#[derive(Clone, Copy, Debug)]
pub(crate) enum MemberStorage<'a> {
    /// The members are in the author's crate: their rows, the numbers of their values, and the
    /// strings of all values.
    Rows(
        &'static [MemberRow],
        [u8; MAX_VALUES],
        &'static [&'static str],
    ),
    /// The members are in the author's crate, in a list of specs.
    Specs(&'a [MemberSpec<'a>]),
    /// The members were read from a schema.
    Owned(&'a [OwnedMember]),
}

/// A member that was read at run time.
#[derive(Clone, Debug)]
pub struct OwnedMember {
    pub(crate) name: Box<str>,
    pub(crate) text: Box<str>,
    pub(crate) value: u8,
    pub(crate) optional: bool,
}

impl OwnedMember {
    /// Returns a member with the JSON name of its field, its discriminator value, and the position
    /// of that value; `None` if the position is not below [`MAX_VALUES`].
    pub fn new(
        name: impl Into<Box<str>>,
        value: impl Into<Box<str>>,
        position: usize,
        optional: bool,
    ) -> Option<Self> {
        let number = u8::try_from(position).ok()?;
        (position < MAX_VALUES).then(|| Self {
            name: name.into(),
            text: value.into(),
            value: number,
            optional,
        })
    }

    pub(crate) fn from_spec(member: MemberSpec<'_>) -> Self {
        Self {
            name: member.name().into(),
            text: member.value().into(),
            value: member.value,
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

    /// Returns the number of the value of the member at a position. It is inlined, because it runs
    /// for every object.
    #[inline]
    pub(crate) fn value(&self, position: usize) -> Option<u8> {
        match self {
            Self::Rows(rows, values, _) if position < rows.len() => values.get(position).copied(),
            Self::Rows(..) => None,
            Self::Specs(members) => members.get(position).map(|member| member.value),
            Self::Owned(members) => members.get(position).map(|member| member.value),
        }
    }

    /// Returns the positions of the members whose values have these numbers. Argument and result
    /// are masks.
    pub(crate) fn positions(&self, values: u64) -> u64 {
        let mut rest = values;
        while rest != 0 {
            let value = rest.trailing_zeros();
            // Members are usually in the order of their values. Their positions are the numbers of
            // the values then.
            if self.value(value as usize).map(u32::from) != Some(value) {
                let positions = (0..self.len()).filter(|position| {
                    let value = self.value(*position);
                    value.is_some_and(|value| values & 1 << value != 0)
                });
                return positions.fold(0, |mask, position| mask | 1 << position);
            }
            rest &= rest - 1;
        }
        values
    }

    #[inline]
    pub(crate) fn get(&self, position: usize) -> Option<MemberSpec<'a>> {
        match *self {
            Self::Rows(rows, ref values, texts) => {
                let (name, _, optional) = *rows.get(position)?;
                let value = *values.get(position)?;
                let text = texts.get(usize::from(value)).copied().unwrap_or(name);
                Some(MemberSpec::new(name, text, value, optional))
            }
            Self::Specs(members) => members.get(position).copied(),
            Self::Owned(members) => {
                let member = members.get(position)?;
                Some(MemberSpec::new(
                    &member.name,
                    &member.text,
                    member.value,
                    member.optional,
                ))
            }
        }
    }
}

/// A member of a union: its JSON name, its discriminator value, and true if it is optional.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MemberSpec<'a> {
    pub(crate) name: &'a str,
    pub(crate) text: &'a str,
    pub(crate) value: u8,
    pub(crate) optional: bool,
}

impl<'a> MemberSpec<'a> {
    /// Returns a member with these parts. For the derive alone.
    #[doc(hidden)]
    #[must_use]
    pub const fn new(name: &'a str, text: &'a str, value: u8, optional: bool) -> Self {
        Self {
            name,
            text,
            value,
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
        self.text
    }

    /// Returns the position of the member's discriminator value in
    /// [`DiscriminatorSpec::values`](crate::DiscriminatorSpec::values). If the values are not
    /// listed, returns the position of the member.
    #[must_use]
    #[inline]
    pub const fn value_index(self) -> usize {
        self.value as usize
    }

    /// Returns true if the discriminator may select the member while the member is unset.
    #[must_use]
    pub const fn is_optional(self) -> bool {
        self.optional
    }

    /// Returns the bit of the member in the masks of [`State`](crate::State).
    #[inline]
    pub(crate) const fn bit(self) -> u64 {
        1 << self.value
    }
}
