//! The state of a union: the selected value and the set members.
//!
//! Every object is checked with `is_settled`, so this method and the constructors of states must be
//! fast. The other methods run only for objects that are not settled.

use crate::union_spec::{DiscriminatorSpec, MAX_VALUES, UnionModel, UnionSpec};
use k8s_json_internals::{names::is_same_name, non_string::NonStringValue};
use serde_json::{Map, Value};

/// The selected value and the set members of a union, in one object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct State<'a> {
    selected: Selected<'a>,
    /// The mask of the set members, by the indexes of their values.
    members_set: u64,
    /// The reason why the object fits no variant, if the state is of such an object.
    raw_reason: Option<&'a RawReason>,
}

/// The reason why an object fits no variant of an enum, without the data that the object contains.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum RawReason {
    UnknownValue,
    UnknownMember(String),
    Invalid,
    Unreadable(UnreadableMember),
}

/// A member that is set and selected, but that serde cannot deserialize into its Rust type. The
/// union has no other errors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct UnreadableMember {
    /// The index of the member's value, as in [`value_index`](crate::MemberSpec::value_index).
    pub(crate) value_index: usize,
    /// The error message of serde.
    pub(crate) error: String,
}

/// The value of a discriminator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Selected<'a> {
    /// The discriminator is absent or null, and has no default. If the discriminator follows the
    /// members, `""` also counts as missing.
    Missing,
    /// The discriminator has the value at this position of the enum type. If the discriminator is a
    /// string, it has the value of the member with this
    /// [`value_index`](crate::MemberSpec::value_index).
    Known(usize),
    /// The discriminator has a value that this build does not know.
    Unknown(&'a str),
    /// The discriminator is not a string. Only JSON objects can have such a value.
    #[doc(hidden)]
    NotAString(NonStringValue<'a>),
}

/// Builds the state of a union from the fields of a JSON object. Null counts as absent.
///
/// ```
/// use serde_json::json;
/// use union_runtime::spec::{OwnedDiscriminator, OwnedMember, OwnedUnionSpec, StateBuilder};
/// use union_runtime::{UnionModel, Selected, ExtensionShape};
///
/// let discriminator = OwnedDiscriminator::from_values("type", ["Git", "S3"], true);
/// let git = OwnedMember::new("git", "Git", 0, false).unwrap();
/// let (model, shape) = (UnionModel::Discriminated, ExtensionShape::V2022);
/// let union = OwnedUnionSpec::new(Some(discriminator), vec![git], model, shape);
/// let (kind, value) = (json!("Git"), json!("https://example.org"));
/// let mut builder = StateBuilder::default();
/// builder.set_discriminator(&kind);
/// builder.add_member(0, &value);
/// let state = builder.build(&union.spec(), None);
/// assert_eq!(state.selected(), Selected::Known(0));
/// assert!(union.spec().is_settled(state));
/// ```
#[derive(Default)]
pub struct StateBuilder<'a> {
    members_set: u64,
    discriminator: Option<&'a Value>,
}

impl<'a> StateBuilder<'a> {
    /// Adds the value of the discriminator.
    #[inline]
    pub const fn set_discriminator(&mut self, value: &'a Value) {
        self.discriminator = Some(value);
    }

    /// Adds the value of a member. `index` is its [`MemberSpec::value_index`].
    ///
    /// [`MemberSpec::value_index`]: crate::MemberSpec::value_index
    #[inline]
    pub fn add_member(&mut self, index: u8, value: &Value) {
        self.members_set |= u64::from(!value.is_null()).wrapping_shl(index.into());
    }

    /// Returns the state. If the discriminator is absent, the value at the position `default` is
    /// selected, if there is a default.
    #[inline]
    pub fn build(self, spec: &UnionSpec<'_>, default: Option<usize>) -> State<'a> {
        let selected = spec
            .discriminator()
            .map(|discriminator| Selected::from_json(discriminator, self.discriminator, default));
        let selected = selected.unwrap_or(Selected::Missing);
        State::from_mask(spec, selected, self.members_set)
    }
}

impl<'a> State<'a> {
    /// The state of a missing object.
    pub const EMPTY: Self = Self {
        selected: Selected::Missing,
        members_set: 0,
        raw_reason: None,
    };

    /// Creates a state with this discriminator value. `set_flags` has a flag for each member, in
    /// the order of the members of `spec`, which is true if the member is set.
    ///
    /// In the 2022 model, an absent discriminator counts as `""` if the enum type has that value
    /// (KEP-1027, "Discriminator Values"). In the 2019 model, an absent discriminator and `""` both
    /// count as missing.
    #[inline]
    pub fn new<const N: usize>(
        spec: &UnionSpec<'_>,
        selected: Selected<'a>,
        set_flags: [bool; N],
    ) -> Self {
        let mut mask = 0;
        for (position, is_set) in set_flags.into_iter().enumerate() {
            mask |= if is_set { spec.bit_of(position) } else { 0 };
        }
        Self::from_mask(spec, selected, mask)
    }

    /// Creates a state like [`new`](Self::new). Bit i of `mask` is set if the member with value
    /// index i is set.
    #[inline]
    pub(crate) fn from_mask(spec: &UnionSpec<'_>, selected: Selected<'a>, mask: u64) -> Self {
        let selected = if spec.is_selected_by_discriminator() {
            match (selected, spec.empty_value()) {
                (Selected::Missing, Some(empty)) => Selected::Known(usize::from(empty)),
                (selected, _) => selected,
            }
        } else {
            selected.selected_2019(spec, mask)
        };
        Self {
            selected,
            members_set: mask,
            raw_reason: None,
        }
    }

    /// Returns the state of a union of a JSON object. If the discriminator is absent, the value at
    /// the position `default` is selected, if there is a default.
    pub(crate) fn from_object(
        spec: &UnionSpec<'_>,
        object: &'a Map<String, Value>,
        default: Option<usize>,
    ) -> Self {
        let mut builder = StateBuilder::default();
        let discriminator = spec.discriminator().map(DiscriminatorSpec::name);
        for (name, value) in object {
            if discriminator == Some(name) {
                builder.set_discriminator(value);
            } else if let Some(member) = spec.members().find(|member| member.name() == name) {
                builder.add_member(member.value_index, value);
            }
        }
        builder.build(spec, default)
    }

    /// Returns the state of a variant of a Rust enum: the state of an object with the variant's
    /// value and member. `value` is the index of the value, if the variant has a value. `member` is
    /// the value index of the member, if the member is set.
    #[inline]
    pub(crate) const fn from_variant(value: Option<usize>, member: Option<usize>) -> Self {
        Self {
            selected: match value {
                Some(value) => Selected::Known(value),
                None => Selected::Missing,
            },
            members_set: match member {
                Some(value) if value < MAX_VALUES => 1 << value,
                _ => 0,
            },
            raw_reason: None,
        }
    }

    /// Sets the reason why the object fits no variant.
    pub(crate) const fn with_raw_reason(mut self, reason: &'a RawReason) -> Self {
        self.raw_reason = Some(reason);
        self
    }

    /// Returns the same state without borrowed data. Returns `None` if the state depends on data of
    /// the object: an unknown value, a value that is not a string, or an unreadable member.
    pub(crate) fn to_static(self) -> Option<State<'static>> {
        let selected = match self.selected {
            Selected::Unknown(_) | Selected::NotAString(_) => return None,
            selected => selected.known().map_or(Selected::Missing, Selected::Known),
        };
        let state = State {
            selected,
            members_set: self.members_set,
            raw_reason: None,
        };
        self.unreadable_member().is_none().then_some(state)
    }

    /// Returns the set member that cannot be deserialized into its Rust type, if there is one.
    #[inline]
    pub(crate) const fn unreadable_member(&self) -> Option<&'a UnreadableMember> {
        match self.raw_reason {
            Some(RawReason::Unreadable(member)) => Some(member),
            _ => None,
        }
    }

    /// Returns true if the object has a value or a member that this build does not know, and that a
    /// newer build may know.
    pub(crate) const fn is_unknown(&self) -> bool {
        let has_unknown_member = matches!(self.raw_reason, Some(RawReason::UnknownMember(_)));
        has_unknown_member || matches!(self.selected, Selected::Unknown(_))
    }

    /// Returns the value of the discriminator.
    #[must_use]
    #[inline]
    pub const fn selected(&self) -> Selected<'a> {
        self.selected
    }

    /// Returns true if the discriminator has a value that the enum type does not have.
    #[inline]
    pub(crate) fn has_unsupported_value(&self, spec: &UnionSpec<'_>) -> bool {
        match self.selected {
            Selected::Unknown(_) => !spec.discriminator().is_some_and(DiscriminatorSpec::is_open),
            Selected::NotAString(_) => true,
            Selected::Missing | Selected::Known(_) => false,
        }
    }

    /// Returns the mask of the set members: bit i is the member whose
    /// [`value_index`](crate::MemberSpec::value_index) is i.
    #[must_use]
    #[inline]
    pub const fn members_set(&self) -> u64 {
        self.members_set
    }
}

impl<'a> Selected<'a> {
    /// Returns the selected value for the discriminator of a JSON object. `value` is `None` if the
    /// field is absent.
    fn from_json(
        discriminator: &DiscriminatorSpec<'_>,
        value: Option<&'a Value>,
        default: Option<usize>,
    ) -> Self {
        match value {
            None | Some(Value::Null) => default.map_or(Self::Missing, Self::Known),
            Some(Value::String(string)) => discriminator
                .values()
                .position(string)
                .map_or(Self::Unknown(string), Self::Known),
            Some(value) => Self::NotAString(NonStringValue(value)),
        }
    }

    /// Returns the position of the value, if the value is known.
    #[must_use]
    #[inline]
    pub const fn known(self) -> Option<usize> {
        match self {
            Self::Known(value) => Some(value),
            Self::Missing | Self::Unknown(_) | Self::NotAString(_) => None,
        }
    }

    /// Returns the bit of the value, or 0 if the value is unknown or cannot have a member.
    #[inline]
    pub(crate) const fn bit(self) -> u64 {
        match self {
            Self::Known(value) if value < MAX_VALUES => 1 << value,
            _ => 0,
        }
    }

    /// Returns the selected value in the 2019 model: a string may be the value of a member, and
    /// `""` counts as missing. `members_set` is the mask of the set members, one of which usually
    /// has the value, so its value is compared first.
    #[inline]
    fn selected_2019(self, spec: &UnionSpec<'_>, members_set: u64) -> Self {
        match self {
            Self::Unknown("") => Self::Missing,
            Self::Unknown(string)
                if spec.discriminator().is_some_and(DiscriminatorSpec::is_open) =>
            {
                let set_member = spec.member(members_set.trailing_zeros() as usize);
                let mut members = set_member.into_iter().chain(spec.members());
                let found = members.find(|member| is_same_name(member.value(), string));
                found.map_or(self, |member| Self::Known(member.value_index()))
            }
            Self::Known(value) if spec.empty_value().map(usize::from) == Some(value) => {
                Self::Missing
            }
            selected => selected,
        }
    }

    /// Returns the value as a string, or `None` if the discriminator is missing or not a string.
    /// `spec` is the spec of the union.
    #[must_use]
    pub fn value<'s>(self, spec: &UnionSpec<'s>) -> Option<&'s str>
    where
        'a: 's,
    {
        match self {
            Self::Missing | Self::NotAString(_) => None,
            Self::Known(value) => spec.value(value),
            Self::Unknown(string) => Some(string),
        }
    }
}

impl UnionSpec<'_> {
    /// Returns true if, for every old object, normalization clears nothing and validation finds no
    /// error.
    ///
    /// A union is settled in two cases: a known value is selected, and no other member is set, and
    /// the selected member is set or optional; or nothing is selected, no member is set, and the
    /// discriminator may be absent.
    #[inline]
    #[must_use]
    pub fn is_settled(&self, state: State<'_>) -> bool {
        if state.unreadable_member().is_some() {
            return false;
        }
        if !self.is_selected_by_discriminator() {
            return self.is_settled_2019(state);
        }
        match state.selected() {
            Selected::Known(value) => {
                // `generated::declaration` rejects members for values after the 64th, so such a
                // value has no bit.
                let bit = if value < MAX_VALUES { 1 << value } else { 0 };
                let unselected_members = state.members_set() & !bit;
                let missing_member = self.required_mask() & bit & !state.members_set();
                unselected_members | missing_member == 0
            }
            Selected::Missing => {
                state.members_set() == 0
                    && !self
                        .discriminator()
                        .is_some_and(DiscriminatorSpec::is_required)
            }
            Selected::Unknown(_) | Selected::NotAString(_) => false,
        }
    }

    /// Returns true if exactly one member is set, and the discriminator, if the union has one,
    /// names this member. Also returns true if no member is set and no member is required.
    #[inline]
    fn is_settled_2019(&self, state: State<'_>) -> bool {
        match state.selected() {
            _ if state.members_set() == 0 => {
                self.model() == UnionModel::AtMostOne && !state.has_unsupported_value(self)
            }
            Selected::Known(value) => value < MAX_VALUES && state.members_set() == 1 << value,
            Selected::Missing => {
                self.discriminator().is_none() && state.members_set().is_power_of_two()
            }
            Selected::Unknown(_) | Selected::NotAString(_) => false,
        }
    }
}
