//! One view over whatever holds unions, so that every rule is written once.

use serde_json::Value;

use crate::spec::{DiscriminatorSpec, UnionSpec};
use crate::traits::Union;
use k8s_json_internals::equality::same;

/// A value that holds unions: a struct with `#[derive(Union)]`, or a JSON object whose schema has them.
///
/// All rules (normalize, validate, ratchet) work on this view and on [`NodeMut`] alone.
pub trait Node {
    /// How many unions the value holds.
    fn union_count(&self) -> usize;

    /// What union number `union` is made of, in source order. It is asked for numbers that exist; so is
    /// [`state`](Self::state).
    fn spec(&self, union: usize) -> UnionSpec<'_>;

    /// What is selected and what is set in union number `union`.
    fn state(&self, union: usize) -> State<'_>;
}

/// A value that holds unions, to be changed, and the old one that it is correlated with.
///
/// It is asked for unions and members that exist.
pub trait NodeMut {
    /// The value as it is.
    fn node(&self) -> &dyn Node;

    /// The old value, if there is one.
    fn old(&self) -> Option<&dyn Node>;

    /// Unsets member number `member` of union number `union`.
    fn clear(&mut self, union: usize, member: usize);

    /// Makes the discriminator of union number `union` select member number `member`: the 2019 model.
    fn select(&mut self, union: usize, member: usize);

    /// Gives member number `member` of union number `union` what it is in the old value, and tells whether it could.
    fn restore(&mut self, union: usize, member: usize) -> bool;

    /// Takes out the fields that are known to nobody here and whose name is `value`, ASCII case ignored, and tells their
    /// names.
    fn clear_unknown(&mut self, value: &str) -> Vec<String>;
}

/// Union number `union` of those that a value counts.
#[expect(
    clippy::indexing_slicing,
    reason = "a node is asked for unions that exist: the numbers are below its own count"
)]
#[inline]
pub(crate) fn union_at<T>(unions: &[T], union: usize) -> &T {
    &unions[union]
}

impl<T: Union> Node for T {
    fn union_count(&self) -> usize {
        T::unions().len()
    }

    fn spec(&self, union: usize) -> UnionSpec<'_> {
        *union_at(T::unions(), union)
    }

    fn state(&self, union: usize) -> State<'_> {
        self.union_state(union)
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
    /// Absent or null, and absence stands for no value; also `""`, where the discriminator follows the members.
    Missing,
    /// The value at this position of the enum type's values; of a string, that of the member with this
    /// [`value_index`](crate::MemberSpec::value_index).
    Known(usize),
    /// A value that this build does not know.
    Unknown(&'a str),
    /// Something that is no text, as only JSON can hold it.
    NoText(NoText<'a>),
}

/// What stands where a discriminator should, and is no text.
#[derive(Clone, Copy, Debug)]
pub struct NoText<'a>(&'a Value);

impl<'a> NoText<'a> {
    #[cfg(feature = "engine")]
    pub(crate) const fn new(value: &'a Value) -> Self {
        Self(value)
    }

    /// Its type, as `OpenAPI` calls it.
    #[must_use]
    pub fn type_name(self) -> &'a str {
        match self.0 {
            Value::Null => "null",
            Value::Bool(_) => "boolean",
            Value::Number(number) if number.is_f64() => "number",
            Value::Number(_) => "integer",
            Value::String(_) => "string",
            Value::Array(_) => "array",
            Value::Object(_) => "object",
        }
    }
}

impl PartialEq for NoText<'_> {
    fn eq(&self, other: &Self) -> bool {
        same(self.0, other.0)
    }
}

impl Eq for NoText<'_> {}

impl<'a> State<'a> {
    /// What an object that does not exist says.
    pub const EMPTY: Self = Self {
        selected: Selected::Missing,
        set: 0,
    };

    /// `selected` is the discriminator as it stands, `set` says for each member of `spec`, in order, whether it is set.
    ///
    /// In the 2022 model an absent discriminator counts as `""`, where the enum type has that value (KEP-1027,
    /// "Discriminator Values"). In the 2019 model, where it follows the members, both say nothing.
    #[inline]
    #[must_use]
    pub fn new<const N: usize>(
        spec: &UnionSpec<'_>,
        selected: Selected<'a>,
        set: [bool; N],
    ) -> Self {
        let mut mask = 0;
        for (member, is_set) in spec.members().zip(set) {
            mask |= u64::from(is_set) << member.value_index();
        }
        Self::of_mask(spec, selected, mask)
    }

    /// As [`new`](Self::new), where bit i of `mask` stands for the member whose value is number i.
    #[inline]
    pub(crate) fn of_mask(spec: &UnionSpec<'_>, selected: Selected<'a>, mask: u64) -> Self {
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
    pub(crate) fn is_refused(&self, spec: &UnionSpec<'_>) -> bool {
        match self.selected {
            Selected::Unknown(_) => !spec.discriminator().is_some_and(DiscriminatorSpec::is_open),
            Selected::NoText(_) => true,
            Selected::Missing | Selected::Known(_) => false,
        }
    }

    /// The set members: bit i stands for the member whose [`value_index`](crate::MemberSpec::value_index) is i.
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
            Self::Missing | Self::Unknown(_) | Self::NoText(_) => None,
        }
    }

    /// What a discriminator that follows the members says: a string names a member, `""` says nothing.
    fn followed(self, spec: &UnionSpec<'_>) -> Self {
        match self {
            Self::Unknown("") => Self::Missing,
            Self::Unknown(text) if spec.discriminator().is_some_and(DiscriminatorSpec::is_open) => {
                spec.members()
                    .find(|member| member.value() == text)
                    .map_or(self, |member| Self::Known(member.value_index()))
            }
            Self::Known(value) if spec.empty_value().map(usize::from) == Some(value) => {
                Self::Missing
            }
            selected => selected,
        }
    }

    /// The text of the value, `spec` being that of the union; `None` if it is missing or no text.
    #[must_use]
    pub fn text<'s>(self, spec: &UnionSpec<'s>) -> Option<&'s str>
    where
        'a: 's,
    {
        match self {
            Self::Missing | Self::NoText(_) => None,
            Self::Known(value) => spec.value_text(value),
            Self::Unknown(text) => Some(text),
        }
    }
}
