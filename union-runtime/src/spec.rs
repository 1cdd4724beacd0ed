//! What a union is made of: the data that the derive writes down and the algorithms read.

use crate::lookup::{MOST_VALUES, Values};
use crate::traits::EnumType;

/// A union of a struct: its discriminator and its members.
///
/// Made by `#[derive(Union)]`. The selected and the set members of a value come as a [`State`](crate::State).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnionSpec {
    discriminator: DiscriminatorSpec,
    members: &'static [MemberSpec],
    required_mask: u64,
}

/// The field that names the member to respect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DiscriminatorSpec {
    name: &'static str,
    facts: DiscriminatorFacts,
    required: bool,
}

/// What the type of a discriminator says: its values, and whether the field may be absent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DiscriminatorFacts {
    pub(crate) values: Values,
    docs: &'static [&'static str],
    pub(crate) optional: bool,
    /// The position of `""`, if it is one of the values that can have a member.
    absent: Option<u8>,
}

/// A field of a union.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemberSpec {
    name: &'static str,
    value: u8,
    optional: bool,
}

impl UnionSpec {
    /// A union with a discriminator (KEP-1027, 2022 text, "Discriminator Field").
    ///
    /// `required_mask` has the bits of the members that are not optional; see [`crate::declare`], where all is checked.
    pub(crate) const fn discriminated(
        discriminator: DiscriminatorSpec,
        members: &'static [MemberSpec],
        required_mask: u64,
    ) -> Self {
        Self {
            discriminator,
            members,
            required_mask,
        }
    }

    /// The field that names the member to respect.
    #[must_use]
    pub const fn discriminator(&self) -> &DiscriminatorSpec {
        &self.discriminator
    }

    /// The members, in source order.
    #[must_use]
    pub const fn members(&self) -> &[MemberSpec] {
        self.members
    }

    /// The member that a discriminator value selects, by its position among the values.
    ///
    /// `None` for an empty member, a value that has no field.
    #[must_use]
    pub fn member_of(&self, value: usize) -> Option<&MemberSpec> {
        self.members
            .iter()
            .find(|member| member.value_index() == value)
    }

    /// Bit i is set iff value i has a field that must be set when it is selected.
    #[inline]
    pub(crate) const fn required_mask(&self) -> u64 {
        self.required_mask
    }

    /// The position of the value that an absent discriminator stands for: that of `""`, if the enum has it.
    #[inline]
    pub(crate) const fn absent(&self) -> Option<u8> {
        self.discriminator.facts.absent
    }
}

impl DiscriminatorFacts {
    /// A discriminator of enum type `E`.
    #[must_use]
    pub const fn of<E: EnumType>(optional: bool) -> Self {
        let texts = E::VALUES;
        let mut absent = None;
        let mut i = 0;
        while i < MOST_VALUES && i < texts.len() {
            if texts[i].is_empty() {
                // The loop's bound keeps i below 64.
                #[expect(clippy::cast_possible_truncation)]
                let at = i as u8;
                absent = Some(at);
            }
            i += 1;
        }
        Self {
            values: Values {
                texts,
                keys: E::KEYS,
            },
            docs: E::DOCS,
            optional,
            absent,
        }
    }
}

impl DiscriminatorSpec {
    pub(crate) const fn new(name: &'static str, facts: DiscriminatorFacts, required: bool) -> Self {
        Self {
            name,
            facts,
            required,
        }
    }

    /// The JSON name of the field.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// All discriminator values, in source order; those of the enum type.
    #[must_use]
    pub const fn values(&self) -> &'static [&'static str] {
        self.facts.values.texts
    }

    /// The values, as they are looked up.
    pub(crate) const fn lookup(&self) -> Values {
        self.facts.values
    }

    /// What the values mean: their doc comments, in the same order; `""` where there is none.
    #[must_use]
    pub const fn docs(&self) -> &'static [&'static str] {
        self.facts.docs
    }

    /// Whether an object without the discriminator is refused, unless absence stands for a value.
    #[must_use]
    pub const fn required(&self) -> bool {
        self.required
    }
}

impl MemberSpec {
    /// Stands where a declaration has no member yet.
    pub(crate) const NONE: Self = Self::new("", 0, false);

    pub(crate) const fn new(name: &'static str, value: u8, optional: bool) -> Self {
        Self {
            name,
            value,
            optional,
        }
    }

    /// The JSON name of the field.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// The position of the member's discriminator value in [`DiscriminatorSpec::values`].
    #[must_use]
    #[inline]
    pub const fn value_index(&self) -> usize {
        self.value as usize
    }

    /// Whether the discriminator may select the member while it is unset.
    #[must_use]
    pub const fn optional(&self) -> bool {
        self.optional
    }

    /// The bit that stands for this member in [`State`](crate::State).
    #[inline]
    pub(crate) const fn bit(&self) -> u64 {
        1 << self.value
    }
}
