//! The state of a union: the selected value and the set members. The test of a settled union runs
//! for every object; all other code is for objects that fail it.

use serde_json::{Map, Value};

use crate::union_spec::discriminator::DiscriminatorSpec;
use crate::union_spec::values::MOST_VALUES;
use crate::union_spec::{Arity, UnionSpec};
use k8s_json_internals::equality::same;

/// The selected value and the set members of one union of one value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State<'a> {
    selected: Selected<'a>,
    set: u64,
    unreadable: Option<&'a Unreadable>,
}

/// A member that is set and selected, and that its Rust type cannot read. The union has nothing
/// else that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unreadable {
    /// The number of the value, as [`MemberSpec::value_index`] has it.
    pub(crate) value: usize,
    /// The error of serde.
    pub(crate) text: String,
}

/// The value of a discriminator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Selected<'a> {
    /// Absent or null, and absence stands for no value; also `""`, where the discriminator follows
    /// the members.
    Missing,
    /// The value at this position of the enum type's values; of a string, that of the member with
    /// this [`value_index`](crate::MemberSpec::value_index).
    Known(usize),
    /// A value that this build does not know.
    Unknown(&'a str),
    /// Something that is not a text, as only JSON can hold it: no struct says it.
    #[doc(hidden)]
    NoText(NoText<'a>),
}

/// The value of a discriminator that is not a string.
#[derive(Clone, Copy, Debug)]
pub struct NoText<'a>(&'a Value);

impl<'a> NoText<'a> {
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

/// A reader of the state of a union from a JSON object, field by field. Null counts as absent.
///
/// ```
/// use serde_json::json;
/// use union_runtime::spec::{OwnedDiscriminator, OwnedMember, OwnedUnionSpec, StateReader};
/// use union_runtime::{Arity, Selected, Shape};
///
/// let discriminator = OwnedDiscriminator::listed("type", ["Git", "S3"], true);
/// let git = OwnedMember::new("git", "Git", 0, false).unwrap();
/// let union = OwnedUnionSpec::new(Some(discriminator), vec![git], Arity::Selected, Shape::V2022);
/// let (kind, value) = (json!("Git"), json!("https://example.org"));
/// let mut reader = StateReader::default();
/// reader.discriminator(&kind);
/// reader.member(0, &value);
/// let state = reader.state(&union.spec(), None);
/// assert_eq!(state.selected(), Selected::Known(0));
/// assert!(union.spec().is_settled(state));
/// ```
#[derive(Default)]
pub struct StateReader<'a> {
    set: u64,
    discriminator: Option<&'a Value>,
}

impl<'a> StateReader<'a> {
    /// Takes in the field of the discriminator.
    #[inline]
    pub const fn discriminator(&mut self, value: &'a Value) {
        self.discriminator = Some(value);
    }

    /// Takes in the field of the member whose value has this number, as [`MemberSpec::value_index`]
    /// does.
    ///
    /// [`MemberSpec::value_index`]: crate::MemberSpec::value_index
    #[inline]
    pub fn member(&mut self, number: u8, value: &Value) {
        self.set |= u64::from(!value.is_null()).wrapping_shl(number.into());
    }

    /// Returns the state of the object; an absent discriminator stands for the value at position
    /// `default`, if there is such a default.
    #[inline]
    #[must_use]
    pub fn state(self, spec: &UnionSpec<'_>, default: Option<usize>) -> State<'a> {
        let selected = spec
            .discriminator()
            .map(|discriminator| Selected::of_value(discriminator, self.discriminator, default));
        State::of_mask(spec, selected.unwrap_or(Selected::Missing), self.set)
    }
}

impl<'a> State<'a> {
    /// The state of an object that does not exist.
    pub const EMPTY: Self = Self {
        selected: Selected::Missing,
        set: 0,
        unreadable: None,
    };

    /// `selected` is the discriminator as it stands, `set` says for each member of `spec`, in
    /// order, whether it is set.
    ///
    /// In the 2022 model an absent discriminator counts as `""`, where the enum type has that value
    /// (KEP-1027, "Discriminator Values"). In the 2019 model, where it follows the members, both
    /// say nothing.
    #[inline]
    #[must_use]
    pub fn new<const N: usize>(
        spec: &UnionSpec<'_>,
        selected: Selected<'a>,
        set: [bool; N],
    ) -> Self {
        let mut mask = 0;
        for (position, is_set) in set.into_iter().enumerate() {
            mask |= if is_set { spec.bit_of(position) } else { 0 };
        }
        Self::of_mask(spec, selected, mask)
    }

    /// Returns a state as [`new`](Self::new) does. Bit i of `mask` stands for the member whose
    /// value has number i.
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
            unreadable: None,
        }
    }

    /// Returns the state of a JSON object in a union of its own. An absent discriminator stands for
    /// the value at position `default`, if there is such a default.
    pub(crate) fn of_object(
        spec: &UnionSpec<'_>,
        object: &'a Map<String, Value>,
        default: Option<usize>,
    ) -> Self {
        let mut reader = StateReader::default();
        let discriminator = spec.discriminator().map(DiscriminatorSpec::name);
        for (name, value) in object {
            if discriminator == Some(name) {
                reader.discriminator(value);
            } else if let Some(member) = spec.members().find(|member| member.name() == name) {
                reader.member(member.value, value);
            }
        }
        reader.state(spec, default)
    }

    /// The state of a variant of a Rust enum, which is what an object with the one value and the
    /// one member says. `selected` is the value, if the variant has one; `set` the number of the
    /// member's value, if it is set.
    #[inline]
    pub(crate) const fn of_variant(selected: Option<usize>, set: Option<usize>) -> Self {
        Self {
            selected: match selected {
                Some(value) => Selected::Known(value),
                None => Selected::Missing,
            },
            set: match set {
                Some(value) if value < MOST_VALUES => 1 << value,
                _ => 0,
            },
            unreadable: None,
        }
    }

    /// The same, of an object whose selected member its Rust type cannot read.
    pub(crate) const fn but_unreadable(mut self, unreadable: Option<&'a Unreadable>) -> Self {
        self.unreadable = unreadable;
        self
    }

    /// The same, for as long as you like; none where it is about what was found in a value.
    pub(crate) fn kept(self) -> Option<State<'static>> {
        let selected = match self.selected {
            Selected::Unknown(_) | Selected::NoText(_) => return None,
            selected => selected.known().map_or(Selected::Missing, Selected::Known),
        };
        let (set, unreadable) = (self.set, None);
        let state = State {
            selected,
            set,
            unreadable,
        };
        self.unreadable.is_none().then_some(state)
    }

    /// The member that is there and cannot be read, if there is one.
    #[inline]
    pub(crate) const fn unreadable(&self) -> Option<&'a Unreadable> {
        self.unreadable
    }

    /// Returns the value of the discriminator.
    #[must_use]
    #[inline]
    pub const fn selected(&self) -> Selected<'a> {
        self.selected
    }

    /// Returns true if the discriminator has a value that the enum type does not have.
    #[inline]
    pub(crate) fn is_refused(&self, spec: &UnionSpec<'_>) -> bool {
        match self.selected {
            Selected::Unknown(_) => !spec.discriminator().is_some_and(DiscriminatorSpec::is_open),
            Selected::NoText(_) => true,
            Selected::Missing | Selected::Known(_) => false,
        }
    }

    /// The set members: bit i stands for the member whose
    /// [`value_index`](crate::MemberSpec::value_index) is i.
    #[must_use]
    #[inline]
    pub const fn members_set(&self) -> u64 {
        self.set
    }
}

impl<'a> Selected<'a> {
    /// Returns the value of the discriminator in an object.
    fn of_value(
        discriminator: &DiscriminatorSpec<'_>,
        value: Option<&'a Value>,
        default: Option<usize>,
    ) -> Self {
        match value {
            None | Some(Value::Null) => default.map_or(Self::Missing, Self::Known),
            Some(Value::String(text)) => discriminator
                .values()
                .position(text)
                .map_or(Self::Unknown(text), Self::Known),
            Some(other) => Self::NoText(NoText(other)),
        }
    }

    /// The position of the known value, if it is one.
    #[must_use]
    #[inline]
    pub const fn known(self) -> Option<usize> {
        match self {
            Self::Known(value) => Some(value),
            Self::Missing | Self::Unknown(_) | Self::NoText(_) => None,
        }
    }

    /// The bit of the known value, if it is one that can have a member.
    #[inline]
    pub(crate) const fn bit(self) -> u64 {
        match self {
            Self::Known(value) if value < MOST_VALUES => 1 << value,
            _ => 0,
        }
    }

    /// Returns the value of a discriminator that follows the members: a string names a member, `""`
    /// selects nothing.
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

impl UnionSpec<'_> {
    /// Returns true if nothing would be cleared and nothing is invalid, whatever the old object is.
    ///
    /// A known value is selected, no other member is set, and the selected one is set where it has
    /// to be; or nothing is selected, nothing set, and the discriminator may be absent.
    #[inline]
    #[must_use]
    pub fn is_settled(&self, state: State<'_>) -> bool {
        if state.unreadable().is_some() {
            return false;
        }
        if !self.is_selected_by_discriminator() {
            return self.is_settled_2019(state);
        }
        match state.selected() {
            Selected::Known(value) => {
                // `generated::declaration` gives a value beyond the 64th no member, so no bit.
                let bit = if value < MOST_VALUES { 1 << value } else { 0 };
                let others = state.members_set() & !bit;
                let missing = self.required_mask() & bit & !state.members_set();
                others | missing == 0
            }
            Selected::Missing => {
                state.members_set() == 0
                    && !self
                        .discriminator()
                        .is_some_and(DiscriminatorSpec::is_required)
            }
            Selected::Unknown(_) | Selected::NoText(_) => false,
        }
    }

    /// Returns true if one member is set, and the discriminator, if there is one, names it; or if
    /// no member is set, and none has to be.
    #[inline]
    fn is_settled_2019(&self, state: State<'_>) -> bool {
        match state.selected() {
            _ if state.members_set() == 0 => {
                self.arity() == Arity::AtMostOne && !state.is_refused(self)
            }
            Selected::Known(value) => value < MOST_VALUES && state.members_set() == 1 << value,
            Selected::Missing => {
                self.discriminator().is_none() && state.members_set().is_power_of_two()
            }
            Selected::Unknown(_) | Selected::NoText(_) => false,
        }
    }
}
