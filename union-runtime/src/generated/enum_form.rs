//! The description of a union in the enum form, which the derive generates, and the tables that are
//! computed from the description.
use crate::union_spec::{
    DiscriminatorFacts, DiscriminatorSpec, Enforcement, ExtensionShape, MemberSpec, MemberStorage,
    UnionModel, UnionSpec,
};

/// A union in the enum form. Each variant has a number:
///
/// - In a union with a discriminator, the number is the position of the variant's value. The
///   variant without a value has the number after the last value.
/// - In a union without a discriminator, the variants with a member have the first numbers. The
///   variant without a member has the number after the last member.
///
/// The derive has checked that there are no duplicate values or fields, and that the number of each
/// variant with a member is below 64.
#[derive(Clone, Copy, Debug)]
pub struct EnumForm {
    /// The name of the enum.
    pub name: &'static str,
    /// The JSON names of the discriminator, if there is one, and of the members.
    pub fields: &'static [&'static str],
    /// The JSON name of the discriminator, if there is one.
    pub discriminator: Option<&'static str>,
    /// The discriminator values.
    pub values: &'static [&'static str],
    /// The doc comments of the values.
    pub docs: &'static [&'static str],
    /// The members, each with the number of its variant.
    pub members: &'static [MemberSpec<'static>],
    /// The number of the variant that an absent discriminator counts as, if the variant has a
    /// value.
    pub default: Option<usize>,
    /// True if a variant represents an object with neither discriminator nor member.
    pub has_empty_variant: bool,
    /// The names and numbers of the variants in the form of serde's externally tagged enums. The
    /// list is empty if the enum does not read this form.
    pub external: &'static [(&'static str, usize)],
    /// The fields that are deserialized if a struct flattens the enum.
    pub flattened: FlattenedFields,
    /// True if deserialization fails when no variant fits the object.
    pub is_strict: bool,
    /// The shape of the extension in schemas.
    pub shape: ExtensionShape,
    /// The enforcement in schemas.
    pub enforcement: Enforcement,
}

/// The fields that an enum deserializes if a struct flattens it with `#[serde(flatten)]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlattenedFields {
    /// The author has not declared the fields. The enum deserializes its own fields, and cannot
    /// serialize an object that fits no variant, because the object may have had other fields.
    Undeclared,
    /// The discriminator and the members. The outer struct keeps or rejects all other fields.
    Own,
    /// All fields that remain.
    All,
}

impl EnumForm {
    /// An enum without variants, with the default of each attribute.
    pub const EMPTY: Self = Self {
        name: "",
        fields: &[],
        discriminator: None,
        values: &[],
        docs: &[],
        members: &[],
        default: None,
        has_empty_variant: false,
        external: &[],
        flattened: FlattenedFields::Undeclared,
        is_strict: false,
        shape: ExtensionShape::V2022,
        enforcement: Enforcement::Cel,
    };

    /// Returns the error message for an enum that may have lost fields, because a struct flattens
    /// the enum.
    pub(crate) fn lost_fields(&self) -> String {
        let name = self.name;
        format!(
            "unknown fields may be lost, because a struct flattens `{name}`; write `#[union(flattened = \"all_fields\")]` on `{name}`, or `flattened = \"own_fields\"` if the struct keeps or rejects unknown fields itself"
        )
    }

    /// Returns the number of variants with a discriminator value.
    #[inline]
    pub(crate) const fn value_count(&self) -> usize {
        self.values.len()
    }

    /// Returns the facts of the discriminator, which has no Rust type of its own.
    pub(crate) const fn facts(&self) -> DiscriminatorFacts {
        let is_optional = self.default.is_some() || self.has_empty_variant;
        DiscriminatorFacts::from_list(self.values, &[], self.docs, is_optional, !self.is_strict)
    }

    /// Returns the spec of the union. `facts` must be the result of [`facts`](Self::facts).
    pub(crate) const fn spec(&self, facts: &'static DiscriminatorFacts) -> UnionSpec<'static> {
        let (discriminator, model, shape) = match self.discriminator {
            Some(name) => {
                let is_required = !facts.can_select_nothing();
                let discriminator = DiscriminatorSpec::new(name, facts, is_required);
                (Some(discriminator), UnionModel::Discriminated, self.shape)
            }
            None if self.has_empty_variant => (None, UnionModel::AtMostOne, ExtensionShape::V2019),
            None => (None, UnionModel::ExactlyOne, ExtensionShape::V2019),
        };
        // The mask of the members that are not optional.
        let mut mask = 0;
        let mut remaining = self.members;
        while let [member, tail @ ..] = remaining {
            if !member.is_optional() {
                mask |= member.bit();
            }
            remaining = tail;
        }
        let members = MemberStorage::Specs(self.members);
        let enforcement = self.enforcement;
        UnionSpec::new(discriminator, members, mask, model, shape, enforcement)
    }
}
