//! What a union is made of: the data that the derive or a schema writes down and the algorithms read.

use crate::lookup::{MOST_VALUES, Values};
use crate::members::{Members, Stored};
use crate::texts::Texts;
use crate::traits::EnumType;

/// A union of an object: its discriminator and its members.
///
/// Made by `#[derive(Union)]`, by [`union_spec!`](crate::union_spec), or read from a schema. The selected and the set
/// members of a value come as a [`State`](crate::State).
///
/// ```
/// use union_runtime::{Selected, State, UnionSpec, union_spec};
///
/// const STRATEGY: UnionSpec<'static> = union_spec! {
///     discriminator = "type",
///     "Recreate" => (),
///     "RollingUpdate" => "rollingUpdate",
/// };
/// let [recreate, rolling_update] = [0, 1].map(Selected::Known);
/// assert!(STRATEGY.is_settled(State::new(&STRATEGY, recreate, [false])));
/// assert!(!STRATEGY.is_settled(State::new(&STRATEGY, recreate, [true])));
/// assert!(STRATEGY.is_settled(State::new(&STRATEGY, rolling_update, [true])));
/// assert_eq!(STRATEGY.member_of(1).unwrap().name(), "rollingUpdate");
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

/// How a plain API server is made to check a union: by what its schema says in the CRD. It is
/// `#[union(enforce = ...)]`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Enforce {
    /// By CEL rules (`x-kubernetes-validations`), which name the member and say what is asked of it. A server estimates
    /// their costs when a CRD is written.
    #[default]
    Cel,
    /// By a `oneOf`, which costs nothing and says little.
    OneOf,
    /// Not at all: a webhook does it, or nobody.
    None,
}

/// Which forms of the `x-kubernetes-unions` extension a union has in a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// On the discriminator's property: `{"fieldMembers": ...}` (KEP-1027, 2022 text).
    V2022,
    /// A list on the object: `[{"discriminator": ..., "fields-to-discriminateBy": ...}]` (2019 text).
    V2019,
    /// Both.
    Both,
}

/// How many members of a union are to be set, and by which of the two models of KEP-1027.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arity {
    /// The one that the discriminator selects: the 2022 model.
    Selected,
    /// One or none; a discriminator, if there is one, follows the members: the 2019 model.
    AtMostOne,
    /// One, without a discriminator.
    ExactlyOne,
}

/// The field that names the member to respect.
#[derive(Clone, Copy, Debug)]
pub struct DiscriminatorSpec<'a> {
    name: &'a str,
    facts: &'a DiscriminatorFacts,
    required: bool,
}

/// What the type of a discriminator says: its values, and whether the field may be absent.
#[derive(Clone, Debug)]
pub struct DiscriminatorFacts {
    values: Listed,
    docs: &'static [&'static str],
    pub(crate) optional: bool,
    /// The position of `""`, if it is one of the values that can have a member.
    absent: Option<u8>,
    /// Any text is a value: the type is a string, no enum.
    open: bool,
    /// Reading keeps values that are not listed.
    keeps_unknown: bool,
}

/// Where the texts of the values are.
#[derive(Clone, Debug)]
enum Listed {
    /// In the author's crate.
    Declared(Values),
    /// They were read from a schema.
    #[cfg(feature = "engine")]
    Read(Box<[Box<str>]>),
}

/// A field of a union.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemberSpec<'a> {
    name: &'a str,
    text: &'a str,
    pub(crate) value: u8,
    optional: bool,
}

impl<'a> UnionSpec<'a> {
    /// `required_mask` has the bits of the members that are not optional; see [`crate::declare`], where all is checked.
    pub(crate) const fn new(
        discriminator: Option<DiscriminatorSpec<'a>>,
        members: Stored<'a>,
        required_mask: u64,
        arity: Arity,
        shape: Shape,
    ) -> Self {
        Self {
            discriminator,
            members,
            required_mask,
            arity,
            shape,
            enforce: Enforce::Cel,
        }
    }

    pub(crate) const fn enforced(mut self, enforce: Enforce) -> Self {
        self.enforce = enforce;
        self
    }

    /// How a plain API server is made to check the union, by its schema.
    #[must_use]
    pub const fn enforce(&self) -> Enforce {
        self.enforce
    }

    /// The field that names the member to respect, if there is one.
    #[must_use]
    pub const fn discriminator(&self) -> Option<&DiscriminatorSpec<'a>> {
        self.discriminator.as_ref()
    }

    /// How many members are to be set.
    #[must_use]
    pub const fn arity(&self) -> Arity {
        self.arity
    }

    /// Which forms of the extension the union has in a schema.
    ///
    /// The 2022 one says that the discriminator rules, so unions whose discriminator follows the members, or that have
    /// none, have the 2019 one alone.
    #[must_use]
    pub const fn shape(&self) -> Shape {
        self.shape
    }

    /// Whether the discriminator says which member is to be set (the 2022 model); otherwise it follows the members.
    #[inline]
    pub(crate) const fn is_selected_by_discriminator(&self) -> bool {
        matches!(self.arity, Arity::Selected)
    }

    /// The members, in source order.
    #[must_use]
    pub const fn members(&self) -> Members<'a> {
        self.members.iter()
    }

    /// The member at a position, in source order; `None` if there is none.
    #[must_use]
    pub fn member(&self, position: usize) -> Option<MemberSpec<'a>> {
        self.members.get(position)
    }

    /// The member that a discriminator value selects, by its position among the values.
    ///
    /// `None` for an empty member, a value that has no field, and for a position behind the last value.
    #[must_use]
    pub fn member_of(&self, value: usize) -> Option<MemberSpec<'a>> {
        self.members().find(|member| member.value_index() == value)
    }

    /// The text of the value at a position.
    pub(crate) fn value_text(&self, position: usize) -> Option<&'a str> {
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

    /// The position of `""` among the values. In the 2022 model an absent discriminator stands for it; in the 2019 model
    /// both say nothing.
    #[inline]
    pub(crate) const fn empty_value(&self) -> Option<u8> {
        match &self.discriminator {
            Some(discriminator) => discriminator.facts.absent,
            None => None,
        }
    }
}

impl DiscriminatorFacts {
    /// A discriminator of enum type `E`; `optional` where the field may be absent.
    #[must_use]
    pub const fn of<E: EnumType>(optional: bool) -> Self {
        let texts = E::VALUES;
        Self {
            values: Listed::Declared(Values {
                texts,
                keys: E::KEYS,
            }),
            docs: E::DOCS,
            optional,
            absent: absent(texts),
            open: false,
            keeps_unknown: E::KEEPS_UNKNOWN,
        }
    }

    /// Whether the type's own default can say nothing: it is an `Option`, a string, or has `""`.
    pub(crate) const fn may_say_nothing(&self) -> bool {
        self.optional || self.open || self.absent.is_some()
    }

    /// A discriminator that is a string, whose values are those of its members (2019 text, "Go tags"); `optional` where
    /// the field may be absent.
    #[must_use]
    pub const fn of_text(optional: bool) -> Self {
        Self {
            values: Listed::Declared(Values::NONE),
            docs: &[],
            optional,
            absent: None,
            open: true,
            keeps_unknown: true,
        }
    }

    /// A discriminator with these values, for [`union_spec!`](crate::union_spec) alone.
    #[doc(hidden)]
    #[must_use]
    pub const fn of_values(texts: &'static [&'static str], optional: bool) -> Self {
        Self {
            values: Listed::Declared(Values { texts, keys: &[] }),
            docs: &[],
            optional,
            absent: absent(texts),
            open: false,
            keeps_unknown: true,
        }
    }

    /// A discriminator with values that were read.
    #[cfg(feature = "engine")]
    pub(crate) fn read(values: Box<[Box<str>]>, optional: bool) -> Self {
        let absent = values
            .iter()
            .take(MOST_VALUES)
            .position(|text| text.is_empty());
        Self {
            values: Listed::Read(values),
            docs: &[],
            optional,
            absent: absent.and_then(|at| u8::try_from(at).ok()),
            open: false,
            keeps_unknown: true,
        }
    }

    pub(crate) const fn values(&self) -> Texts<'_> {
        match &self.values {
            Listed::Declared(values) => Texts::declared(values.texts),
            #[cfg(feature = "engine")]
            Listed::Read(texts) => Texts::read(texts),
        }
    }

    /// The values, as they are known while the author's crate compiles.
    pub(crate) const fn declared(&self) -> Values {
        match &self.values {
            Listed::Declared(values) => *values,
            #[cfg(feature = "engine")]
            Listed::Read(_) => Values::NONE,
        }
    }
}

/// The position of `""`, if it is one of the values that can have a member.
const fn absent(texts: &[&str]) -> Option<u8> {
    let mut absent = None;
    let mut i = 0;
    let mut rest = texts;
    while let [text, after @ ..] = rest
        && i < MOST_VALUES
    {
        if text.is_empty() {
            // The loop's bound keeps i below 64.
            #[expect(clippy::cast_possible_truncation)]
            let at = i as u8;
            absent = Some(at);
        }
        rest = after;
        i += 1;
    }
    absent
}

impl<'a> DiscriminatorSpec<'a> {
    pub(crate) const fn new(name: &'a str, facts: &'a DiscriminatorFacts, required: bool) -> Self {
        Self {
            name,
            facts,
            required,
        }
    }

    /// The JSON name of the field.
    #[must_use]
    pub const fn name(&self) -> &'a str {
        self.name
    }

    /// All discriminator values, in source order: those of the enum type; none where any text is one.
    #[must_use]
    pub const fn values(&self) -> Texts<'a> {
        self.facts.values()
    }

    /// Whether reading keeps a value that is not listed.
    pub(crate) const fn keeps_unknown(&self) -> bool {
        self.facts.keeps_unknown
    }

    /// What its type says.
    #[cfg(feature = "engine")]
    pub(crate) const fn facts(&self) -> &'a DiscriminatorFacts {
        self.facts
    }

    /// What the values mean: their doc comments, in the same order, `""` where there is none. Empty for what was read from
    /// a schema.
    #[must_use]
    pub const fn docs(&self) -> &'static [&'static str] {
        self.facts.docs
    }

    /// Whether any text is a value: the field is a string. Those of the members have a meaning.
    #[must_use]
    pub const fn is_open(&self) -> bool {
        self.facts.open
    }

    /// Whether an object without the discriminator is refused, unless absence stands for a value.
    #[must_use]
    pub const fn required(&self) -> bool {
        self.required
    }
}

impl<'a> MemberSpec<'a> {
    /// Stands where a declaration has no member yet.
    pub(crate) const NONE: Self = Self::new("", "", 0, false);

    pub(crate) const fn new(name: &'a str, text: &'a str, value: u8, optional: bool) -> Self {
        Self {
            name,
            text,
            value,
            optional,
        }
    }

    /// The JSON name of the field.
    #[must_use]
    pub const fn name(self) -> &'a str {
        self.name
    }

    /// The discriminator value that selects the member. Unions without a discriminator have them too, for tools.
    #[must_use]
    pub const fn value(self) -> &'a str {
        self.text
    }

    /// The position of the member's discriminator value in [`DiscriminatorSpec::values`]; where those are not listed, the
    /// position of the member.
    #[must_use]
    #[inline]
    pub const fn value_index(self) -> usize {
        self.value as usize
    }

    /// Whether the discriminator may select the member while it is unset.
    #[must_use]
    pub const fn optional(self) -> bool {
        self.optional
    }

    /// The bit that stands for this member in [`State`](crate::State).
    #[inline]
    pub(crate) const fn bit(self) -> u64 {
        1 << self.value
    }
}
