//! Types that a discriminator can have.
use crate::union_spec::{DiscriminatorFacts, EnumType, EnumValue, MemberSpec};
use crate::view::Selected;

/// A field that can be a discriminator (KEP-1027, "Discriminator Field"): an enum type, or an
/// `Option` of an enum type.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a discriminator",
    label = "not an enum type",
    note = "a discriminator must be an enum of unit variants with `#[derive(union_runtime::EnumType)]`, or an `Option` of one (KEP-1027, \"Discriminator Values\"); with `deduce`, a `String` is allowed too"
)]
pub trait Discriminator {
    /// The facts of the type. Only the derive uses this constant.
    #[doc(hidden)]
    const FACTS: &'static DiscriminatorFacts;

    /// Returns the selected value.
    fn selected(&self) -> Selected<'_>;

    /// Returns the selected value. If the field is absent, returns the value of `default`: the
    /// default that serde uses and that the schema contains.
    #[inline]
    fn selected_or(&self, default: impl FnOnce() -> Self) -> Selected<'_>
    where
        Self: Sized,
    {
        match self.selected() {
            Selected::Missing => Self::selected(&default())
                .known()
                .map_or(Selected::Missing, Selected::Known),
            selected => selected,
        }
    }
}

#[diagnostic::do_not_recommend]
impl<E: EnumType> Discriminator for E {
    const FACTS: &'static DiscriminatorFacts = &DiscriminatorFacts::for_enum::<E>(false);

    #[inline]
    fn selected(&self) -> Selected<'_> {
        match self.value() {
            EnumValue::Known(position) => Selected::Known(position),
            EnumValue::Unknown(value) => Selected::Unknown(value),
        }
    }
}

#[diagnostic::do_not_recommend]
impl<E: EnumType> Discriminator for Option<E> {
    const FACTS: &'static DiscriminatorFacts = &DiscriminatorFacts::for_enum::<E>(true);

    #[inline]
    fn selected(&self) -> Selected<'_> {
        self.as_ref()
            .map_or(Selected::Missing, Discriminator::selected)
    }
}

/// A field that can be a discriminator that follows the members (`deduce`): an enum type, a string,
/// or an `Option` of one of these.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a discriminator",
    label = "neither an enum type nor a `String`",
    note = "with `deduce`, a discriminator must be a `String`, an enum of unit variants with `#[derive(union_runtime::EnumType)]`, or an `Option` of one (KEP-1027 in its 2019 form, \"Go tags\")"
)]
pub trait DeducedDiscriminator {
    /// The facts of the type. Only the derive uses this constant.
    #[doc(hidden)]
    const FACTS: &'static DiscriminatorFacts;

    /// Returns the selected value. A string is returned as an unknown value, because only
    /// [`State`](crate::State) knows the values of the members.
    fn selected(&self) -> Selected<'_>;

    /// Sets the field to the discriminator value of `member`.
    fn select(&mut self, member: MemberSpec<'_>);
}

#[diagnostic::do_not_recommend]
impl<E: EnumType> DeducedDiscriminator for E {
    const FACTS: &'static DiscriminatorFacts = <E as Discriminator>::FACTS;

    fn selected(&self) -> Selected<'_> {
        Discriminator::selected(self)
    }

    fn select(&mut self, member: MemberSpec<'_>) {
        if let Some(value) = E::from_index(member.value_index()) {
            *self = value;
        }
    }
}

#[diagnostic::do_not_recommend]
impl<E: EnumType> DeducedDiscriminator for Option<E> {
    const FACTS: &'static DiscriminatorFacts = <Self as Discriminator>::FACTS;

    fn selected(&self) -> Selected<'_> {
        Discriminator::selected(self)
    }

    fn select(&mut self, member: MemberSpec<'_>) {
        *self = E::from_index(member.value_index());
    }
}

#[diagnostic::do_not_recommend]
impl DeducedDiscriminator for String {
    const FACTS: &'static DiscriminatorFacts = &DiscriminatorFacts::for_string(false);

    fn selected(&self) -> Selected<'_> {
        Selected::Unknown(self)
    }

    fn select(&mut self, member: MemberSpec<'_>) {
        member.value().clone_into(self);
    }
}

#[diagnostic::do_not_recommend]
impl DeducedDiscriminator for Option<String> {
    const FACTS: &'static DiscriminatorFacts = &DiscriminatorFacts::for_string(true);

    fn selected(&self) -> Selected<'_> {
        self.as_deref().map_or(Selected::Missing, Selected::Unknown)
    }

    fn select(&mut self, member: MemberSpec<'_>) {
        *self = Some(member.value().to_owned());
    }
}
