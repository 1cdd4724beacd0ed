//! The discriminator of a union, and the facts of its type.

use super::enum_type::EnumType;
use super::values::{DiscriminatorValues, MAX_VALUES, StaticValues};

/// The discriminator of a union: the field that names the selected member.
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
    /// The doc comments of the values.
    docs: &'static [&'static str],
    /// True if the field may be absent. Only the declarations of generated code read the flag. For
    /// values that were read from a schema, the flag is false.
    pub(crate) optional: bool,
    /// The position of `""`. `None` if `""` is not one of the first [`MAX_VALUES`] values.
    pub(super) empty_value: Option<u8>,
    /// [`EnumType::json_error`] of the type.
    json_error: fn() -> Option<String>,
    /// True if every string is a value: the type is a string, not an enum.
    open: bool,
    /// True if deserialization keeps values that are not listed.
    pub(crate) keeps_unknown: bool,
}

/// The values of a discriminator.
#[derive(Clone, Debug)]
enum ListedValues {
    /// Values that the author's crate declares.
    Static(StaticValues),
    /// Values that were read from a schema.
    Owned(Box<[Box<str>]>),
}

impl DiscriminatorFacts {
    /// Creates the facts of the enum type `E`. `optional` is true if the field may be absent.
    pub const fn for_enum<E: EnumType>(optional: bool) -> Self {
        let keeps_unknown = E::KEEPS_UNKNOWN;
        let mut facts = Self::from_list(E::VALUES, E::KEYS, E::DOCS, optional, keeps_unknown);
        facts.json_error = E::json_error;
        facts
    }

    /// Returns true if the default value of the type can select nothing, because the type is an
    /// `Option`, a string, or an enum with the value `""`.
    pub(crate) const fn can_select_nothing(&self) -> bool {
        self.optional || self.open || self.empty_value.is_some()
    }

    /// Creates the facts of a string. The values of the discriminator are the values of the members
    /// (2019 text, "Go tags"). `optional` is true if the field may be absent.
    pub const fn for_string(optional: bool) -> Self {
        Self::from_list(&[], &[], &[], optional, true).with_open_values()
    }

    /// Creates the facts of listed values. `keys` are hashes of the values, which only the derives
    /// compute. `keys` and `docs` have an entry for each value, or are empty. `optional` is true if
    /// the field may be absent, and `keeps_unknown` is true if deserialization keeps other values.
    pub const fn from_list(
        values: &'static [&'static str],
        keys: &'static [u64],
        docs: &'static [&'static str],
        optional: bool,
        keeps_unknown: bool,
    ) -> Self {
        Self {
            values: ListedValues::Static(StaticValues { values, keys }),
            docs,
            optional,
            empty_value: empty_value_position(values),
            json_error: || None,
            open: false,
            keeps_unknown,
        }
    }

    /// Creates the facts of a discriminator whose values were read from a schema.
    pub(crate) fn from_owned_values(values: Box<[Box<str>]>) -> Self {
        let empty_position = values
            .iter()
            .take(MAX_VALUES)
            .position(|value| value.is_empty());
        Self {
            values: ListedValues::Owned(values),
            docs: &[],
            optional: false,
            empty_value: empty_position.and_then(|position| u8::try_from(position).ok()),
            json_error: || None,
            open: false,
            keeps_unknown: true,
        }
    }

    /// Makes all other strings valid values too.
    pub(crate) const fn with_open_values(mut self) -> Self {
        self.open = true;
        self
    }

    /// Returns the values, in source order.
    #[must_use]
    pub const fn values(&self) -> DiscriminatorValues<'_> {
        match &self.values {
            ListedValues::Static(list) => DiscriminatorValues::from_static(list.values),
            ListedValues::Owned(values) => DiscriminatorValues::from_owned(values),
        }
    }

    /// Returns the values that are known at compile time. The result is empty if the values were
    /// read from a schema.
    pub(crate) const fn static_values(&self) -> StaticValues {
        match &self.values {
            ListedValues::Static(values) => *values,
            ListedValues::Owned(_) => StaticValues::NONE,
        }
    }
}

/// Returns the position of `""`, or `None` if `""` is not one of the first [`MAX_VALUES`] values.
const fn empty_value_position(values: &[&str]) -> Option<u8> {
    let mut empty_position = None;
    let mut i = 0;
    let mut remaining = values;
    while let [value, tail @ ..] = remaining
        && i < MAX_VALUES
    {
        if value.is_empty() {
            // The loop's bound keeps i below 64.
            #[expect(clippy::cast_possible_truncation)]
            let position = i as u8;
            empty_position = Some(position);
        }
        remaining = tail;
        i += 1;
    }
    empty_position
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

    /// Returns the values of the enum type, in source order. The result is empty if the
    /// discriminator is a string.
    #[must_use]
    pub const fn values(&self) -> DiscriminatorValues<'a> {
        self.facts.values()
    }

    /// Returns the doc comments of the values, in the same order. The entry of a value without a
    /// doc comment is `""`. The list is empty for a union that was read from a schema.
    #[must_use]
    pub const fn docs(&self) -> &'static [&'static str] {
        self.facts.docs
    }

    /// Returns an error if serde does not read and write the values as they are listed.
    #[cfg(feature = "schemars")]
    pub(crate) fn json_error(&self) -> Option<String> {
        (self.facts.json_error)()
    }

    /// Returns true if every string is a valid value, because the field is a string. Only the
    /// values of the members have a meaning.
    #[must_use]
    pub const fn is_open(&self) -> bool {
        self.facts.open
    }

    /// Returns true if an object without the discriminator is invalid. The result is false if an
    /// absent discriminator counts as a value.
    #[must_use]
    pub const fn is_required(&self) -> bool {
        self.required
    }
}
