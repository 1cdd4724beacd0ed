//! What the derive writes down of a union that is a Rust enum, and the tables that follow from it.

use crate::spec::discriminator::{DiscriminatorFacts, DiscriminatorSpec};
use crate::spec::members::{MemberSpec, Stored};
use crate::spec::{Arity, Enforce, Shape, UnionSpec};

/// A union that is a Rust enum. Its variants have numbers: those with a discriminator value that of the value, and the one
/// that stands for no value the next; without a discriminator, members first.
///
/// The derive has checked it: no value and no field is a duplicate, and a member's number is below 64.
#[derive(Clone, Copy, Debug)]
pub struct EnumForm {
    pub(crate) name: &'static str,
    /// The discriminator's field, if there is one, and those of the members.
    pub(crate) fields: &'static [&'static str],
    pub(crate) discriminator: Option<&'static str>,
    values: &'static [&'static str],
    docs: &'static [&'static str],
    members: &'static [MemberSpec<'static>],
    /// The number of the variant that an absent discriminator stands for, though it has a value.
    pub(crate) default: Option<usize>,
    /// A variant stands for an object without discriminator and member.
    has_none: bool,
    /// Reading fails where no variant fits.
    pub(crate) is_strict: bool,
    shape: Shape,
    enforce: Enforce,
}

/// An enum called `name`, whose variants the field `discriminator` names by `values`.
#[must_use]
pub const fn discriminated_enum(
    name: &'static str,
    discriminator: &'static str,
    fields: &'static [&'static str],
    values: &'static [&'static str],
    docs: &'static [&'static str],
    members: &'static [MemberSpec<'static>],
) -> EnumForm {
    EnumForm {
        discriminator: Some(discriminator),
        values,
        docs,
        ..undiscriminated_enum(name, fields, members)
    }
}

/// An enum called `name`, whose variants are told apart by the member that is there.
#[must_use]
pub const fn undiscriminated_enum(
    name: &'static str,
    fields: &'static [&'static str],
    members: &'static [MemberSpec<'static>],
) -> EnumForm {
    EnumForm {
        name,
        fields,
        discriminator: None,
        values: &[],
        docs: &[],
        members,
        default: None,
        has_none: false,
        is_strict: false,
        shape: Shape::V2022,
        enforce: Enforce::Cel,
    }
}

/// The member of the variant with this number.
#[must_use]
pub const fn enum_member(
    name: &'static str,
    value: &'static str,
    number: u8,
    optional: bool,
) -> MemberSpec<'static> {
    MemberSpec::new(name, value, number, optional)
}

impl EnumForm {
    /// An absent discriminator stands for the value at this position.
    #[must_use]
    pub const fn default_value(mut self, default: usize) -> Self {
        self.default = Some(default);
        self
    }

    /// A variant stands for an object without discriminator and member.
    #[must_use]
    pub const fn with_none(mut self) -> Self {
        self.has_none = true;
        self
    }

    /// Reading fails where no variant fits.
    #[must_use]
    pub const fn strict(mut self) -> Self {
        self.is_strict = true;
        self
    }

    /// In schemas the extension has this shape.
    #[must_use]
    pub const fn shaped(mut self, shape: Shape) -> Self {
        self.shape = shape;
        self
    }

    /// In schemas it is enforced so.
    #[must_use]
    pub const fn enforced(mut self, enforce: Enforce) -> Self {
        self.enforce = enforce;
        self
    }

    /// How many variants have a discriminator value.
    #[inline]
    pub(crate) const fn value_count(&self) -> usize {
        self.values.len()
    }

    /// What the discriminator's type would say, if it had one.
    pub(crate) const fn facts(&self) -> DiscriminatorFacts {
        let is_optional = self.default.is_some() || self.has_none;
        DiscriminatorFacts::of_variants(self.values, self.docs, is_optional, !self.is_strict)
    }

    /// The union; `facts` are those of [`facts`](Self::facts).
    pub(crate) const fn spec(&self, facts: &'static DiscriminatorFacts) -> UnionSpec<'static> {
        let (discriminator, arity, shape) = match self.discriminator {
            Some(name) => {
                let required = !facts.may_say_nothing();
                let discriminator = DiscriminatorSpec::new(name, facts, required);
                (Some(discriminator), Arity::Selected, self.shape)
            }
            None if self.has_none => (None, Arity::AtMostOne, Shape::V2019),
            None => (None, Arity::ExactlyOne, Shape::V2019),
        };
        let mut required_mask = 0;
        let mut rest = self.members;
        while let [member, after @ ..] = rest {
            if !member.is_optional() {
                required_mask |= member.bit();
            }
            rest = after;
        }
        let members = Stored::Declared(self.members);
        UnionSpec::new(discriminator, members, required_mask, arity, shape).enforced(self.enforce)
    }
}
