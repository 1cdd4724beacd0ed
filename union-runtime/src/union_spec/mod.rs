//! The parts of a union: data that the derive or a schema provides, and that the rules read.

pub(crate) mod discriminator;
pub(crate) mod enum_type;
pub(crate) mod members;
pub(crate) mod owned;
pub mod schema_keys;
pub(crate) mod values;

use self::discriminator::DiscriminatorSpec;
use self::members::{MemberSpec, Stored};

/// A union of an object: its discriminator and its members.
///
/// `#[derive(Union)]` makes one, `union_spec!` of [`union-json`](https://docs.rs/union-json) for
/// third-party types, and [`OwnedUnionSpec`](crate::spec::OwnedUnionSpec) at run time. The selected
/// and the set members of a value are a [`State`](crate::State).
///
/// ```
/// use union_runtime::spec::{OwnedDiscriminator, OwnedMember, OwnedUnionSpec};
/// use union_runtime::{Arity, Selected, Shape, State};
///
/// let discriminator = OwnedDiscriminator::listed("type", ["Recreate", "RollingUpdate"], true);
/// let member = OwnedMember::new("rollingUpdate", "RollingUpdate", 1, false).unwrap();
/// let union = OwnedUnionSpec::new(Some(discriminator), vec![member], Arity::Selected, Shape::V2022);
/// let strategy = union.spec();
/// let [recreate, rolling_update] = [0, 1].map(Selected::Known);
/// assert!(strategy.is_settled(State::new(&strategy, recreate, [false])));
/// assert!(!strategy.is_settled(State::new(&strategy, recreate, [true])));
/// assert!(strategy.is_settled(State::new(&strategy, rolling_update, [true])));
/// assert_eq!(strategy.member_of(1).unwrap().name(), "rollingUpdate");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct UnionSpec<'a> {
    discriminator: Option<DiscriminatorSpec<'a>>,
    members: Stored<'a>,
    required_mask: u64,
    arity: Arity,
    shape: Shape,
    enforce: Enforce,
}

/// The way in which a plain API server checks a union: by the schema in the CRD. It is set by
/// `#[union(enforce = ...)]`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Enforce {
    /// By CEL rules (`x-kubernetes-validations`), which name the member and say what is asked of
    /// it. A server estimates their costs when a CRD is written.
    #[default]
    Cel,
    /// By CEL rules that forgive what the stored object had for the same reason, as
    /// [`Ratchet::SameReason`](crate::Ratchet::SameReason) does: an update may change anything but
    /// the discriminator and which members are set. It is `#[union(ratchet = "same_reason")]`. The
    /// rules have `optionalOldSelf`, which API servers know from Kubernetes 1.30 on (1.29 with the
    /// feature gate `CRDValidationRatcheting`), and cannot stand below lists without keys.
    CelSameReason,
    /// By a `oneOf`, which costs nothing and says little.
    OneOf,
    /// Not at all: a webhook does it, or nobody.
    None,
}

/// The forms of the `x-kubernetes-unions` extension that a union has in a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Shape {
    /// On the discriminator's property: `{"fieldMembers": ...}` (KEP-1027, 2022 text).
    V2022,
    /// A list on the object: `[{"discriminator": ..., "fields-to-discriminateBy": ...}]` (2019
    /// text).
    V2019,
    /// Both.
    Both,
}

/// The number of members of a union that may be set, by one of the two models of KEP-1027.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Arity {
    /// The one that the discriminator selects: the 2022 model.
    Selected,
    /// At most one member; a discriminator, if there is one, follows the members: the 2019 model.
    AtMostOne,
    /// Exactly one member, without a discriminator.
    ExactlyOne,
}

impl<'a> UnionSpec<'a> {
    /// A union. `required_mask` has the bits of the members that are not optional.
    /// `generated::declaration` has checked the arguments.
    pub(crate) const fn new(
        discriminator: Option<DiscriminatorSpec<'a>>,
        members: Stored<'a>,
        required_mask: u64,
        arity: Arity,
        shape: Shape,
        enforce: Enforce,
    ) -> Self {
        Self {
            discriminator,
            members,
            required_mask,
            arity,
            shape,
            enforce,
        }
    }

    /// Returns true for the value of an enum type outside of unions.
    pub(crate) fn is_value(&self) -> bool {
        self.members.len() == 0
            && self
                .discriminator()
                .is_some_and(|value| value.name().is_empty())
    }

    /// Returns the way in which a plain API server checks the union, by its schema.
    #[must_use]
    pub const fn enforce(&self) -> Enforce {
        self.enforce
    }

    /// The field that names the member to respect, if there is one.
    #[must_use]
    pub const fn discriminator(&self) -> Option<&DiscriminatorSpec<'a>> {
        self.discriminator.as_ref()
    }

    /// Returns the number of members that may be set.
    #[must_use]
    pub const fn arity(&self) -> Arity {
        self.arity
    }

    /// Returns the forms of the extension that the union has in a schema.
    ///
    /// The 2022 one says that the discriminator rules, so unions whose discriminator follows the
    /// members, or that have none, have the 2019 one alone.
    #[must_use]
    pub const fn shape(&self) -> Shape {
        self.shape
    }

    /// Returns true if the discriminator selects the member that must be set (the 2022 model).
    /// Otherwise the discriminator follows the members.
    #[inline]
    #[must_use]
    pub const fn is_selected_by_discriminator(&self) -> bool {
        matches!(self.arity, Arity::Selected)
    }

    /// Returns the members, in source order.
    #[must_use]
    pub fn members(&self) -> impl ExactSizeIterator<Item = MemberSpec<'a>> + Clone + use<'a> {
        let members = self.members;
        (0..members.len()).map(move |position| members.get(position).unwrap_or_default())
    }

    /// The member at a position, in source order; `None` if there is none.
    #[must_use]
    pub fn member(&self, position: usize) -> Option<MemberSpec<'a>> {
        self.members.get(position)
    }

    /// The bit that stands for the member at a position, if there is one.
    #[inline]
    pub(crate) fn bit_of(&self, position: usize) -> u64 {
        self.members.value(position).map_or(0, |value| 1 << value)
    }

    /// The positions of the members that these bits stand for, a bit each.
    #[inline]
    pub(crate) fn positions(&self, bits: u64) -> u64 {
        self.members.positions(bits)
    }

    /// The member that a discriminator value selects, by its position among the values.
    ///
    /// `None` for an empty member, a value that has no field, and for a position behind the last
    /// value.
    #[must_use]
    pub fn member_of(&self, value: usize) -> Option<MemberSpec<'a>> {
        self.members().find(|member| member.value_index() == value)
    }

    /// The text of the value at a position.
    #[must_use]
    pub fn value_text(&self, position: usize) -> Option<&'a str> {
        match self.discriminator() {
            Some(discriminator) if !discriminator.is_open() => discriminator.values().get(position),
            _ => self.member_of(position).map(MemberSpec::value),
        }
    }

    /// Bit i is set iff value i has a field that must be set when it is selected.
    #[inline]
    pub(crate) const fn required_mask(&self) -> u64 {
        self.required_mask
    }

    /// The position of `""` among the values. In the 2022 model an absent discriminator stands for
    /// it; in the 2019 model both say nothing.
    #[inline]
    #[must_use]
    pub const fn empty_value(&self) -> Option<u8> {
        match &self.discriminator {
            Some(discriminator) => discriminator.facts.absent,
            None => None,
        }
    }
}
