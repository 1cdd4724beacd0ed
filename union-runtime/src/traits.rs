//! What the derives implement, and what the fields of a union must be.

use crate::admit::{self, Outcome, Settings};
use crate::normalize::Changes;
use crate::spec::{DiscriminatorFacts, UnionSpec};
use crate::view::{Selected, State};
use crate::violation::Violations;

/// A struct with unions: of these fields, one may be set.
///
/// Derive it; see [`#[derive(Union)]`](macro@crate::Union) for the attributes. The methods follow KEP-1027,
/// "Normalization and Validation": normalize first, then validate.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no unions",
    label = "this type does not derive `Union`",
    note = "add `#[derive(union_runtime::Union)]` to the struct that holds the union"
)]
pub trait Union: Sized {
    /// The unions of the struct, in source order.
    fn unions() -> &'static [UnionSpec];

    /// What is selected and what is set in union number `union` of [`unions`](Self::unions).
    fn union_state(&self, union: usize) -> State<'_>;

    /// Unsets member number `member` of union number `union`; numbers that do not exist are ignored.
    fn clear_member(&mut self, union: usize, member: usize);

    /// Makes the object say what its client meant, and returns what that changed. Never fails.
    ///
    /// Where the discriminator changed against `old` to a value that this build knows, every member but the selected
    /// one is cleared (KEP-1027, "Normalization"). Nothing is done on a create, when `old` is `None`.
    fn normalize_unions(&mut self, old: Option<&Self>) -> Changes {
        admit::normalize(self, old, &Settings::default())
    }

    /// Checks a new object (KEP-1027, "Validation").
    ///
    /// # Errors
    ///
    /// All violations, in source order.
    #[inline]
    fn validate_unions(&self) -> Result<(), Violations> {
        admit::validate(self, &Settings::default())
    }

    /// Checks an update of `old`: what `old` already violated for the same reason is tolerated and returned
    /// (KEP-1027, "Ratcheting Validation"). Other rules: [`validate_update`](crate::validate_update).
    ///
    /// # Errors
    ///
    /// The violations that are new; the tolerated ones come with them.
    #[inline]
    fn validate_unions_update(&self, old: &Self) -> Result<Outcome, Violations> {
        if admit::is_settled(self) {
            return Ok(Outcome::default());
        }
        admit::same_reason(self, old)
    }
}

/// A field that can be a member: it is set or unset.
///
/// Set means present and not null, so `Some(vec![])` is set.
#[diagnostic::on_unimplemented(
    message = "a member of a union must be an `Option`, and `{Self}` is not",
    label = "not an `Option`",
    note = "write `Option<{Self}>`: a member that is not selected has no value (KEP-1027, \"Go Markers\")"
)]
pub trait UnionMember {
    /// Whether the member has a value.
    fn is_set(&self) -> bool;

    /// Takes the member's value away.
    fn clear(&mut self);
}

#[diagnostic::do_not_recommend]
impl<T> UnionMember for Option<T> {
    #[inline]
    fn is_set(&self) -> bool {
        self.is_some()
    }

    fn clear(&mut self) {
        *self = None;
    }
}

#[diagnostic::do_not_recommend]
impl<M: UnionMember + ?Sized> UnionMember for Box<M> {
    #[inline]
    fn is_set(&self) -> bool {
        (**self).is_set()
    }

    fn clear(&mut self) {
        (**self).clear();
    }
}

/// An enum type (KEP-2887): a string with a closed set of values.
///
/// Derive it; see [`#[derive(EnumType)]`](macro@crate::EnumType).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an enum type",
    label = "does not derive `EnumType`",
    note = "an enum type is an enum of unit variants with `#[derive(union_runtime::EnumType)]`"
)]
pub trait EnumType: Sized {
    /// The values as they stand on the wire, in source order; without those that a build does not know.
    const VALUES: &'static [&'static str];

    /// The doc comments of the values, in the same order; `""` where there is none.
    const DOCS: &'static [&'static str];

    /// What the derives look the values up by, while they compile.
    #[doc(hidden)]
    const KEYS: &'static [u64] = &[];

    /// Which of the values this is.
    fn value(&self) -> EnumValue<'_>;

    /// The value as it stands on the wire.
    #[must_use]
    fn as_str(&self) -> &str {
        match self.value() {
            EnumValue::Known(position) => Self::VALUES.get(position).copied().unwrap_or_default(),
            EnumValue::Unknown(text) => text,
        }
    }
}

#[diagnostic::do_not_recommend]
impl<E: EnumType> EnumType for Box<E> {
    const VALUES: &'static [&'static str] = E::VALUES;
    const DOCS: &'static [&'static str] = E::DOCS;
    const KEYS: &'static [u64] = E::KEYS;

    #[inline]
    fn value(&self) -> EnumValue<'_> {
        (**self).value()
    }
}

/// Which value an enum type has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EnumValue<'a> {
    /// The one at this position of [`EnumType::VALUES`].
    Known(usize),
    /// One that this build does not know: the text of the variant with `#[enum_type(other)]`.
    Unknown(&'a str),
}

impl<'a> EnumValue<'a> {
    /// What the variant with `#[enum_type(other)]` holds: a known value too, if somebody put its text there.
    #[must_use]
    pub fn of_text<E: EnumType>(text: &'a str) -> Self {
        match E::VALUES.iter().position(|value| *value == text) {
            Some(position) => Self::Known(position),
            None => Self::Unknown(text),
        }
    }
}

/// A field that can be a discriminator: an enum type, or an `Option` of one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a discriminator",
    label = "not an enum type",
    note = "a discriminator is an enum of unit variants with `#[derive(union_runtime::EnumType)]`, or an `Option` of one (KEP-1027, \"Discriminator Values\")"
)]
pub trait Discriminator {
    /// What the type says of the field.
    const FACTS: DiscriminatorFacts;

    /// What the field says.
    fn selected(&self) -> Selected<'_>;

    /// What the field says, where absence stands for a default (the schema's, which is serde's).
    #[inline]
    fn selected_or(&self, default: impl FnOnce() -> Self) -> Selected<'_>
    where
        Self: Sized,
    {
        match self.selected() {
            Selected::Missing => default()
                .selected()
                .known()
                .map_or(Selected::Missing, Selected::Known),
            selected => selected,
        }
    }
}

#[diagnostic::do_not_recommend]
impl<E: EnumType> Discriminator for E {
    const FACTS: DiscriminatorFacts = DiscriminatorFacts::of::<E>(false);

    #[inline]
    fn selected(&self) -> Selected<'_> {
        match self.value() {
            EnumValue::Known(position) => Selected::Known(position),
            EnumValue::Unknown(text) => Selected::Unknown(text),
        }
    }
}

#[diagnostic::do_not_recommend]
impl<E: EnumType> Discriminator for Option<E> {
    const FACTS: DiscriminatorFacts = DiscriminatorFacts::of::<E>(true);

    #[inline]
    fn selected(&self) -> Selected<'_> {
        match self {
            Some(value) => value.selected(),
            None => Selected::Missing,
        }
    }
}
