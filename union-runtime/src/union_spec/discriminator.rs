//! The discriminator of a union, and the facts of its type.

use super::enum_type::EnumType;
use super::values::{DiscriminatorValues, MAX_VALUES, StaticValues};

/// The field of a union that names the selected member.
#[derive(Clone, Copy, Debug)]
pub struct DiscriminatorSpec<'a> {
    name: &'a str,
    pub(super) facts: &'a DiscriminatorFacts,
    required: bool,
}

/// The facts of a discriminator's type: the values, and the presence of the field.
#[derive(Clone, Debug)]
#[must_use]
pub struct DiscriminatorFacts {
    values: ListedValues,
    docs: &'static [&'static str],
    pub(crate) optional: bool,
    /// The position of `""`, if it is among the first 64 values, which can have a member.
    pub(super) empty_value: Option<u8>,
    /// True if every string is a value: the type is a string, not an enum.
    open: bool,
    /// True if deserialization keeps values that are not listed.
    pub(crate) keeps_unknown: bool,
}

/// The storage of the values.
#[derive(Clone, Debug)]
enum ListedValues {
    /// The values are in the author's crate.
    Static(StaticValues),
    /// The values were read from a schema.
    Owned(Box<[Box<str>]>),
}

impl DiscriminatorFacts {
    /// Returns the facts of enum type `E`. `optional` is true if the field may be absent.
    pub const fn for_enum<E: EnumType>(optional: bool) -> Self {
        Self::from_list(E::VALUES, E::KEYS, E::DOCS, optional, E::KEEPS_UNKNOWN)
    }

    /// Returns true if the default of the type can select nothing: the type is an `Option`, a
    /// string, or an enum with the value `""`.
    pub(crate) const fn can_select_nothing(&self) -> bool {
        self.optional || self.open || self.empty_value.is_some()
    }

    /// Returns the facts of a string, whose values are the values of the members (2019 text, "Go
    /// tags"). `optional` is true if the field may be absent.
    pub const fn for_string(optional: bool) -> Self {
        Self::from_list(&[], &[], &[], optional, true).with_open_values()
    }

    /// Returns the facts of listed values, with their keys and doc comments, which may be empty
    /// lists.
    pub const fn from_list(
        texts: &'static [&'static str],
        keys: &'static [u64],
        docs: &'static [&'static str],
        optional: bool,
        keeps_unknown: bool,
    ) -> Self {
        Self {
            values: ListedValues::Static(StaticValues { texts, keys }),
            docs,
            optional,
            empty_value: empty_value_position(texts),
            open: false,
            keeps_unknown,
        }
    }

    /// Returns the facts of a discriminator whose values were read from a schema.
    pub(crate) fn from_owned_values(values: Box<[Box<str>]>, optional: bool) -> Self {
        let absent = values
            .iter()
            .take(MAX_VALUES)
            .position(|text| text.is_empty());
        Self {
            values: ListedValues::Owned(values),
            docs: &[],
            optional,
            empty_value: absent.and_then(|at| u8::try_from(at).ok()),
            open: false,
            keeps_unknown: true,
        }
    }

    /// Returns the same facts, with strings that are not listed as further values.
    pub(crate) const fn with_open_values(mut self) -> Self {
        self.open = true;
        self
    }

    pub(crate) const fn values(&self) -> DiscriminatorValues<'_> {
        match &self.values {
            ListedValues::Static(values) => DiscriminatorValues::from_static(values.texts),
            ListedValues::Owned(texts) => DiscriminatorValues::from_owned(texts),
        }
    }

    /// Returns the values that are known while the author's crate compiles; none if they were read
    /// from a schema.
    pub(crate) const fn static_values(&self) -> StaticValues {
        match &self.values {
            ListedValues::Static(values) => *values,
            ListedValues::Owned(_) => StaticValues::NONE,
        }
    }
}

/// Returns the position of `""`, if it is among the first 64 values, which can have a member.
const fn empty_value_position(texts: &[&str]) -> Option<u8> {
    let mut absent = None;
    let mut i = 0;
    let mut rest = texts;
    while let [text, after @ ..] = rest
        && i < MAX_VALUES
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

    /// Returns the JSON name of the field.
    #[must_use]
    pub const fn name(&self) -> &'a str {
        self.name
    }

    /// Returns the values of the enum type, in source order; none if the discriminator is a string.
    #[must_use]
    pub const fn values(&self) -> DiscriminatorValues<'a> {
        self.facts.values()
    }

    /// Returns the doc comments of the values, in the same order; `""` for a value without a doc
    /// comment. The list is empty for a union that was read from a schema.
    #[must_use]
    pub const fn docs(&self) -> &'static [&'static str] {
        self.facts.docs
    }

    /// Returns true if every string is a value: the field is a string. Only the values of the
    /// members have a meaning.
    #[must_use]
    pub const fn is_open(&self) -> bool {
        self.facts.open
    }

    /// Returns true if an object without the discriminator is invalid. This does not apply if an
    /// absent discriminator stands for a value.
    #[must_use]
    pub const fn is_required(&self) -> bool {
        self.required
    }
}
