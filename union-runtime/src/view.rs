//! One view over whatever holds unions, so that every rule is written once.

use crate::spec::{DiscriminatorSpec, UnionSpec};
use crate::traits::Union;

/// A value that holds unions: a struct with `#[derive(Union)]`.
///
/// All rules (normalize, validate, ratchet) work on this view alone.
pub trait Node {
    /// The unions of this value, in source order.
    fn specs(&self) -> &[UnionSpec];

    /// What is selected and what is set in union number `union` of [`specs`](Self::specs).
    ///
    /// It is asked for numbers that exist; so are the next two.
    fn state(&self, union: usize) -> State<'_>;

    /// Unsets member number `member` of union number `union`.
    fn clear(&mut self, union: usize, member: usize);

    /// Makes the discriminator of union number `union` select member number `member`: the 2019 model.
    fn select(&mut self, union: usize, member: usize);
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

    fn select(&mut self, union: usize, member: usize) {
        self.select_member(union, member);
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
    /// What an object that does not exist says.
    pub const EMPTY: Self = Self {
        selected: Selected::Missing,
        set: 0,
    };

    /// `selected` is the discriminator as it stands, `set` says for each member of `spec`, in order, whether it is set.
    ///
    /// In the 2022 model an absent discriminator counts as `""`, where the enum type has that value (DESIGN 5). In the
    /// 2019 model, where it follows the members, both say nothing.
    #[inline]
    #[must_use]
    pub fn new<const N: usize>(spec: &UnionSpec, selected: Selected<'a>, set: [bool; N]) -> Self {
        let mut mask = 0;
        for (member, is_set) in spec.members().iter().zip(set) {
            mask |= u64::from(is_set) << member.value_index();
        }
        let selected = if spec.is_selected_by_discriminator() {
            match (selected, spec.empty_value()) {
                (Selected::Missing, Some(empty)) => Selected::Known(usize::from(empty)),
                (selected, _) => selected,
            }
        } else {
            selected.followed(spec)
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

    /// Whether the discriminator has a value that the enum type has not.
    #[inline]
    pub(crate) fn is_refused(&self, spec: &UnionSpec) -> bool {
        matches!(self.selected, Selected::Unknown(_))
            && !spec.discriminator().is_some_and(DiscriminatorSpec::is_open)
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

    /// What a discriminator that follows the members says: a string names a member, `""` says nothing.
    fn followed(self, spec: &UnionSpec) -> Self {
        match self {
            Self::Unknown("") => Self::Missing,
            Self::Unknown(text) if spec.discriminator().is_some_and(DiscriminatorSpec::is_open) => {
                spec.members()
                    .iter()
                    .find(|member| member.value() == text)
                    .map_or(self, |member| Self::Known(member.value_index()))
            }
            Self::Known(value) if spec.empty_value().map(usize::from) == Some(value) => {
                Self::Missing
            }
            selected => selected,
        }
    }

    /// The text of the value; `None` if missing.
    #[must_use]
    pub fn text(self, spec: &UnionSpec) -> Option<&'a str> {
        match self {
            Self::Missing => None,
            Self::Known(value) => spec.value_text(value),
            Self::Unknown(text) => Some(text),
        }
    }
}
