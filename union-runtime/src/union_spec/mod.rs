//! The description of a union: data that a derive or a schema provides, and that the rules read.

pub(crate) mod discriminator;
pub(crate) mod enum_type;
pub(crate) mod members;
pub(crate) mod owned;
pub mod schema_keys;
pub(crate) mod values;

pub use self::discriminator::{DiscriminatorFacts, DiscriminatorSpec};
pub(crate) use self::enum_type::EnumType;
pub use self::enum_type::EnumValue;
pub(crate) use self::members::MemberStorage;
pub use self::members::{MemberRow, MemberSpec, OwnedMember};
pub(crate) use self::values::StaticValues;
pub use self::values::{DiscriminatorValues, MAX_VALUES};

/// A union of an object: its discriminator and its members.
///
/// `#[derive(Union)]` creates the spec for your types, and `union_spec!` of
/// [`union-json`](https://docs.rs/union-json) for third-party types.
/// [`OwnedUnionSpec`](crate::spec::OwnedUnionSpec) creates a spec at run time. The selected value
/// and the set members of an object are a [`State`](crate::State).
///
/// ```
/// use union_runtime::spec::{OwnedDiscriminator, OwnedMember, OwnedUnionSpec};
/// use union_runtime::{UnionModel, Selected, ExtensionShape, State};
///
/// let values = ["Recreate", "RollingUpdate"];
/// let discriminator = OwnedDiscriminator::from_values("type", values, true);
/// let member = OwnedMember::new("rollingUpdate", "RollingUpdate", 1, false).unwrap();
/// let (model, shape) = (UnionModel::Discriminated, ExtensionShape::V2022);
/// let union = OwnedUnionSpec::new(Some(discriminator), vec![member], model, shape);
/// let strategy = union.spec();
/// let [recreate, rolling_update] = [0, 1].map(Selected::Known);
/// assert!(strategy.is_settled(State::new(&strategy, recreate, [false])));
/// assert!(!strategy.is_settled(State::new(&strategy, recreate, [true])));
/// assert!(strategy.is_settled(State::new(&strategy, rolling_update, [true])));
/// assert_eq!(strategy.member_for_value(1).unwrap().name(), "rollingUpdate");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct UnionSpec<'a> {
    discriminator: Option<DiscriminatorSpec<'a>>,
    members: MemberStorage<'a>,
    required_mask: u64,
    model: UnionModel,
    shape: ExtensionShape,
    enforcement: Enforcement,
}

/// The keywords in the schema of a CRD by which an API server without a webhook checks a union.
/// `#[union(enforce = ...)]` selects the keywords.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Enforcement {
    /// CEL rules (`x-kubernetes-validations`), whose messages name the member and the requirement.
    /// An API server estimates the costs of the rules when the CRD is written.
    #[default]
    Cel,
    /// CEL rules that tolerate an error that the stored object has for the same reason, like
    /// [`Ratchet::SameReason`](crate::Ratchet::SameReason). An update of an invalid object may then
    /// change every field, as long as the discriminator is unchanged and the same members are set.
    ///
    /// The attribute is `#[union(ratchet = "same_reason")]`. The rules have `optionalOldSelf`,
    /// which API servers support from Kubernetes 1.30 on (1.29 with the feature gate
    /// `CRDValidationRatcheting`), but not below lists without keys.
    CelSameReason,
    /// A `oneOf`. It has no cost, but its errors do not name the invalid member.
    OneOf,
    /// No check by the schema. Only a webhook or a policy checks the union.
    None,
}

/// The shape of the `x-kubernetes-unions` extension of a union.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ExtensionShape {
    /// An object on the discriminator's property: `{"fieldMembers": ...}` (KEP-1027, 2022 text).
    V2022,
    /// A list on the object of the union:
    /// `[{"discriminator": ..., "fields-to-discriminateBy": ...}]` (2019 text).
    V2019,
    /// Both shapes.
    Both,
}

/// The model of a union (KEP-1027), which decides which members may be set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum UnionModel {
    /// Only the member that the discriminator selects may be set: the 2022 model.
    Discriminated,
    /// At most one member may be set. A discriminator, if there is one, follows the members: the
    /// 2019 model.
    AtMostOne,
    /// Exactly one member must be set. There is no discriminator.
    ExactlyOne,
}

impl<'a> UnionSpec<'a> {
    /// Creates a spec. `required_mask` is the mask of the members that are not optional. The
    /// callers, such as `generated::declaration`, check the arguments.
    pub(crate) const fn new(
        discriminator: Option<DiscriminatorSpec<'a>>,
        members: MemberStorage<'a>,
        required_mask: u64,
        model: UnionModel,
        shape: ExtensionShape,
        enforcement: Enforcement,
    ) -> Self {
        Self {
            discriminator,
            members,
            required_mask,
            model,
            shape,
            enforcement,
        }
    }

    /// Returns true if the spec describes a value of an enum type outside of unions. The
    /// discriminator of such a spec has no name.
    pub(crate) fn is_enum_value(&self) -> bool {
        self.members.len() == 0
            && self
                .discriminator()
                .is_some_and(|discriminator| discriminator.name().is_empty())
    }

    /// Returns the keywords by which an API server without a webhook checks the union.
    #[must_use]
    pub const fn enforcement(&self) -> Enforcement {
        self.enforcement
    }

    /// Returns the discriminator, if the union has one.
    #[must_use]
    pub const fn discriminator(&self) -> Option<&DiscriminatorSpec<'a>> {
        self.discriminator.as_ref()
    }

    /// Returns the model of the union.
    #[must_use]
    pub const fn model(&self) -> UnionModel {
        self.model
    }

    /// Returns the shape of the extension of the union.
    ///
    /// The 2022 shape implies that the discriminator selects the member. Unions without a
    /// discriminator, and unions whose discriminator follows the members, therefore have the 2019
    /// shape.
    #[must_use]
    pub const fn shape(&self) -> ExtensionShape {
        self.shape
    }

    /// Returns true if the discriminator selects the member that must be set (the 2022 model).
    /// Otherwise the discriminator follows the members.
    #[inline]
    #[must_use]
    pub const fn is_selected_by_discriminator(&self) -> bool {
        matches!(self.model, UnionModel::Discriminated)
    }

    /// Returns the members, in source order.
    #[must_use]
    pub fn members(&self) -> impl ExactSizeIterator<Item = MemberSpec<'a>> + Clone + use<'a> {
        let members = self.members;
        (0..members.len()).map(move |position| members.get(position).unwrap_or_default())
    }

    /// Returns the member at a position in source order, or `None` if the position is out of range.
    #[must_use]
    pub fn member(&self, position: usize) -> Option<MemberSpec<'a>> {
        self.members.get(position)
    }

    /// Returns the bit of the member at a position, or 0 if the position is out of range. In all
    /// masks of members, bit i belongs to the member with [`value_index`](MemberSpec::value_index)
    /// i.
    #[inline]
    pub(crate) fn bit_of(&self, position: usize) -> u64 {
        self.members.value_index(position).map_or(0, |i| 1 << i)
    }

    /// Converts a mask of members, whose bits are value indexes, to a mask whose bits are positions
    /// of members.
    #[inline]
    pub(crate) fn positions(&self, value_mask: u64) -> u64 {
        self.members.positions(value_mask)
    }

    /// Returns the member that the discriminator value at a position selects. Returns `None` if the
    /// value selects no member, or if the position is out of range.
    #[must_use]
    pub fn member_for_value(&self, position: usize) -> Option<MemberSpec<'a>> {
        let mut members = self.members();
        members.find(|member| member.value_index() == position)
    }

    /// Returns the discriminator value at a position, or `None` if the position is out of range.
    #[must_use]
    pub fn value(&self, position: usize) -> Option<&'a str> {
        let discriminator = self.discriminator();
        let listed_value = discriminator.and_then(|found| found.values().get(position));
        listed_value.or_else(|| self.member_for_value(position).map(MemberSpec::value))
    }

    /// Returns the mask of the members that must be set when they are selected.
    #[inline]
    pub(crate) const fn required_mask(&self) -> u64 {
        self.required_mask
    }

    /// Returns the position of the value `""`, or `None` if `""` is not one of the first
    /// [`MAX_VALUES`] values. In the 2022 model, an absent discriminator counts as `""`, if `""` is
    /// a value. In the 2019 model, an absent discriminator and `""` select nothing.
    #[inline]
    #[must_use]
    pub const fn empty_value(&self) -> Option<u8> {
        match &self.discriminator {
            Some(discriminator) => discriminator.facts.empty_value,
            None => None,
        }
    }
}
