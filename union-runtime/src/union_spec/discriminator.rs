//! The discriminator of a union, and what its type says.

use super::enum_type::EnumType;
use super::values::{DeclaredValues, DiscriminatorValues, MOST_VALUES};

/// The field that names the member to respect.
#[derive(Clone, Copy, Debug)]
pub struct DiscriminatorSpec<'a> {
    name: &'a str,
    pub(super) facts: &'a DiscriminatorFacts,
    required: bool,
}

/// The facts of a discriminator's type: the values, and the presence of the field.
#[derive(Clone, Debug)]
pub struct DiscriminatorFacts {
    values: Listed,
    docs: &'static [&'static str],
    pub(crate) optional: bool,
    /// The position of `""`, if it is one of the values that can have a member.
    pub(super) absent: Option<u8>,
    /// Any text is a value: the type is a string, no enum.
    open: bool,
    /// Reading keeps values that are not listed.
    pub(crate) keeps_unknown: bool,
}

/// The storage of the values.
#[derive(Clone, Debug)]
enum Listed {
    /// In the author's crate.
    Declared(DeclaredValues),
    /// They were read from a schema.
    Read(Box<[Box<str>]>),
}

impl DiscriminatorFacts {
    /// Returns the facts of enum type `E`; `optional` if the field may be absent.
    #[must_use]
    pub const fn of<E: EnumType>(optional: bool) -> Self {
        Self::listed(E::VALUES, E::KEYS, E::DOCS, optional, E::KEEPS_UNKNOWN)
    }

    /// Returns true if the default of the type can select nothing: the type is an `Option`, a
    /// string, or has `""`.
    pub(crate) const fn may_say_nothing(&self) -> bool {
        self.optional || self.open || self.absent.is_some()
    }

    /// Returns the facts of a string, whose values are the values of the members (2019 text, "Go
    /// tags"); `optional` if the field may be absent.
    #[must_use]
    pub const fn of_text(optional: bool) -> Self {
        Self::listed(&[], &[], &[], optional, true).opened()
    }

    /// Returns the facts of listed values, with their keys and docs, if there are such.
    #[must_use]
    pub const fn listed(
        texts: &'static [&'static str],
        keys: &'static [u64],
        docs: &'static [&'static str],
        optional: bool,
        keeps_unknown: bool,
    ) -> Self {
        Self {
            values: Listed::Declared(DeclaredValues { texts, keys }),
            docs,
            optional,
            absent: absent(texts),
            open: false,
            keeps_unknown,
        }
    }

    /// A discriminator with values that were read.
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

    /// The same where texts that are not listed are values too.
    pub(crate) const fn opened(mut self) -> Self {
        self.open = true;
        self
    }

    pub(crate) const fn values(&self) -> DiscriminatorValues<'_> {
        match &self.values {
            Listed::Declared(values) => DiscriminatorValues::declared(values.texts),
            Listed::Read(texts) => DiscriminatorValues::read(texts),
        }
    }

    /// The values, as they are known while the author's crate compiles.
    pub(crate) const fn declared(&self) -> DeclaredValues {
        match &self.values {
            Listed::Declared(values) => *values,
            Listed::Read(_) => DeclaredValues::NONE,
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

    /// All discriminator values, in source order: those of the enum type; none where any text is
    /// one.
    #[must_use]
    pub const fn values(&self) -> DiscriminatorValues<'a> {
        self.facts.values()
    }

    /// Returns the doc comments of the values, in the same order; `""` for a value without one. A
    /// union that was read from a schema has none.
    #[must_use]
    pub const fn docs(&self) -> &'static [&'static str] {
        self.facts.docs
    }

    /// Returns true if any string is a value: the field is a string. Only the values of the members
    /// have a meaning.
    #[must_use]
    pub const fn is_open(&self) -> bool {
        self.facts.open
    }

    /// Returns true if an object without the discriminator is invalid, unless absence stands for a
    /// value.
    #[must_use]
    pub const fn is_required(&self) -> bool {
        self.required
    }
}
