//! One view over whatever holds unions, so that every rule is written once.

use crate::spec::UnionSpec;
use crate::traits::Union;

/// A value that holds unions: a struct with `#[derive(Union)]`.
///
/// All rules (normalize, validate, ratchet) work on this view alone.
pub trait Node {
    /// The unions of this value, in source order.
    fn specs(&self) -> &[UnionSpec];

    /// What is selected and what is set in union number `union` of [`specs`](Self::specs).
    fn state(&self, union: usize) -> State<'_>;

    /// Unsets member number `member` of union number `union`; numbers that do not exist are ignored.
    fn clear(&mut self, union: usize, member: usize);
}

impl<T: Union> Node for T {
    fn specs(&self) -> &[UnionSpec] {
        T::unions()
    }

    fn state(&self, union: usize) -> State<'_> {
        self.union_state(union)
    }

    fn clear(&mut self, union: usize, member: usize) {
        self.clear_member(union, member);
    }
}

/// What is selected and what is set in one union of one value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State<'a> {
    selected: Selected<'a>,
    set: u64,
}

/// What a discriminator says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Selected<'a> {
    /// Absent or null, and absence stands for no value.
    Missing,
    /// The value at this position of the enum type's values.
    Known(usize),
    /// A value that this build does not know.
    Unknown(&'a str),
}

impl<'a> State<'a> {
    /// `selected` is the discriminator as it stands, `set` says for each member of `spec`, in order, whether it is set.
    ///
    /// An absent discriminator counts as `""`, where the enum type has that value (DESIGN 5).
    #[inline]
    #[must_use]
    pub fn new<const N: usize>(spec: &UnionSpec, selected: Selected<'a>, set: [bool; N]) -> Self {
        let mut mask = 0;
        for (member, is_set) in spec.members().iter().zip(set) {
            mask |= u64::from(is_set) << member.value_index();
        }
        let selected = match (selected, spec.absent()) {
            (Selected::Missing, Some(absent)) => Selected::Known(usize::from(absent)),
            (selected, _) => selected,
        };
        Self {
            selected,
            set: mask,
        }
    }

    /// What the discriminator says.
    #[must_use]
    #[inline]
    pub const fn selected(&self) -> Selected<'a> {
        self.selected
    }

    /// The set members: bit i stands for the member whose value is number i of the enum type's.
    #[must_use]
    #[inline]
    pub const fn set(&self) -> u64 {
        self.set
    }
}

impl<'a> Selected<'a> {
    /// The position of the known value, if it is one.
    #[must_use]
    #[inline]
    pub const fn known(self) -> Option<usize> {
        match self {
            Self::Known(value) => Some(value),
            Self::Missing | Self::Unknown(_) => None,
        }
    }

    /// The text of the value; `None` if missing.
    #[must_use]
    pub fn text(self, spec: &UnionSpec) -> Option<&'a str> {
        match self {
            Self::Missing => None,
            Self::Known(value) => spec.discriminator().values().get(value).copied(),
            Self::Unknown(text) => Some(text),
        }
    }
}
