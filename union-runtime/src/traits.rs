//! What the derives implement, and what the fields of a union must be.

use serde::Serialize;

use crate::admit::{self, Outcome, Settings};
use crate::normalize::Changes;
use crate::spec::{DiscriminatorFacts, MemberSpec, UnionSpec};
use crate::unknown::UnknownMembers;
use crate::view::{Selected, State};
use crate::violation::Violations;
use crate::walk::{Nested, Place, Visitor, VisitorMut};

/// A struct with unions: of these fields, one may be set.
///
/// Derive it; see [`#[derive(Union)]`](macro@crate::Union) for the attributes. The methods follow KEP-1027,
/// "Normalization and Validation": normalize first, then validate. The last three are for you, the others for the
/// rules; where a method takes the number of a union or a member, that one exists.
///
/// ```
/// use serde::{Deserialize, Serialize};
/// use union_runtime::{EnumType, Union};
///
/// #[derive(EnumType, Serialize, Deserialize)]
/// enum StrategyType {
///     Recreate,
///     RollingUpdate,
/// }
///
/// #[derive(Union, Serialize, Deserialize)]
/// #[serde(rename_all = "camelCase")]
/// struct Strategy {
///     #[union(discriminator)]
///     r#type: StrategyType,
///     #[union(member)]
///     #[serde(skip_serializing_if = "Option::is_none")]
///     rolling_update: Option<u32>,
/// }
///
/// let old = Strategy { r#type: StrategyType::RollingUpdate, rolling_update: None };
/// let refused = old.validate_unions().unwrap_err();
/// assert_eq!(refused.iter().next().unwrap().path(), "rollingUpdate");
///
/// // It was stored so before the rule came: an update may leave it as it is.
/// let new = Strategy { r#type: StrategyType::RollingUpdate, rolling_update: None };
/// assert_eq!(new.validate_unions_update(&old)?.ratcheted.len(), 1);
///
/// let mut new = Strategy { r#type: StrategyType::Recreate, rolling_update: Some(1) };
/// assert_eq!(new.normalize_unions(Some(&old)).to_string(), "rollingUpdate: cleared");
/// # Ok::<(), union_runtime::Violations>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no unions",
    label = "this type does not derive `Union`",
    note = "add `#[derive(union_runtime::Union)]` to the struct that holds the union"
)]
pub trait Union: Sized {
    /// Whether reading keeps what this build does not know, by `#[union(unknown)]` here or in a flattened struct with
    /// `inline`. Hidden, as all here: the derive writes it and its checks read it; it may change with every version.
    #[doc(hidden)]
    const KEEPS_UNKNOWN: bool = false;

    /// The unions of the struct, in source order.
    fn unions() -> &'static [UnionSpec<'static>];

    /// What is selected and what is set in union number `union` of [`unions`](Self::unions).
    fn union_state(&self, union: usize) -> State<'_>;

    /// Unsets member number `member` of union number `union`.
    fn clear_member(&mut self, union: usize, member: usize);

    /// Gives member number `member` of union number `union` what it is in `old`, and tells whether it did: members of
    /// structs that implement `Clone` can be restored ([`RestoreUnaware`](crate::RestoreUnaware)).
    fn restore_member(&mut self, old: &Self, union: usize, member: usize) -> bool {
        let _ = (old, union, member);
        false
    }

    /// The map with `#[union(unknown)]`, if there is one: the members that this build does not know. For the derive alone.
    #[doc(hidden)]
    fn unknown_members(&mut self) -> Option<&mut dyn UnknownMembers> {
        None
    }

    /// Makes the discriminator of union number `union` select member number `member`.
    ///
    /// For unions whose discriminator follows the members only (`deduce`); does nothing elsewhere.
    fn select_member(&mut self, union: usize, member: usize) {
        let _ = (union, member);
    }

    /// Whether the unions of what the struct holds by `inline` and `nested` are settled. For the derive alone.
    #[doc(hidden)]
    #[inline]
    fn children_are_settled(&self) -> bool {
        true
    }

    /// Shows what the struct holds by `inline` and `nested`. For the derive alone.
    #[doc(hidden)]
    fn walk_children(&self, old: Option<&Self>, at: &Place<'_>, visitor: &mut dyn Visitor) {
        let _ = (old, at, visitor);
    }

    /// Shows what the struct holds by `inline` and `nested`, to be changed. For the derive alone.
    #[doc(hidden)]
    fn walk_children_mut(
        &mut self,
        old: Option<&Self>,
        at: &Place<'_>,
        visitor: &mut dyn VisitorMut,
    ) {
        let _ = (old, at, visitor);
    }

    /// Shows the unions of the struct, those of flattened structs with `inline` included.
    fn visit_unions(visit: &mut dyn FnMut(&'static UnionSpec<'static>)) {
        Self::unions().iter().for_each(visit);
    }

    /// The lists of the struct that correlate by keys: the JSON names of field and keys. For the derive alone.
    #[doc(hidden)]
    #[must_use]
    fn list_maps() -> &'static [(&'static str, &'static [&'static str])] {
        &[]
    }

    /// What the schema says of patches: the JSON name of a field, its strategy, and its merge key or `""`. For the derive
    /// alone.
    #[doc(hidden)]
    #[must_use]
    fn patch_fields() -> &'static [(&'static str, &'static str, &'static str)] {
        &[]
    }

    /// Makes the object say what its client meant, and returns what that changed. Never fails.
    ///
    /// Where the discriminator changed against `old` to a value that this build knows, every member but the selected
    /// one is cleared (KEP-1027, "Normalization"); a create, when `old` is `None`, changes nothing.
    ///
    /// Where it follows the members (`deduce`), or there is none, the 2019 text rules, on creates too: a discriminator
    /// that changed clears the other members; else one set member, or one that was added, sets the discriminator, and
    /// the added one clears the others.
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
    /// (KEP-1027, "Ratcheting Validation"), as is what is wrong in a list that did not change, whose elements have no keys
    /// (KEP-4008). Other rules: [`validate_update`](crate::validate_update).
    ///
    /// # Errors
    ///
    /// The violations that are new; the tolerated ones come with them.
    #[inline]
    fn validate_unions_update(&self, old: &Self) -> Result<Outcome, Violations>
    where
        Self: Serialize,
    {
        if self.is_settled() {
            return Ok(Outcome::default());
        }
        admit::same_reason(self, old)
    }
}

#[diagnostic::do_not_recommend]
impl<T: Union> Union for Box<T> {
    const KEEPS_UNKNOWN: bool = T::KEEPS_UNKNOWN;

    fn unions() -> &'static [UnionSpec<'static>] {
        T::unions()
    }

    #[inline]
    fn union_state(&self, union: usize) -> State<'_> {
        (**self).union_state(union)
    }

    fn clear_member(&mut self, union: usize, member: usize) {
        (**self).clear_member(union, member);
    }

    fn restore_member(&mut self, old: &Self, union: usize, member: usize) -> bool {
        (**self).restore_member(old, union, member)
    }

    fn unknown_members(&mut self) -> Option<&mut dyn UnknownMembers> {
        (**self).unknown_members()
    }

    fn select_member(&mut self, union: usize, member: usize) {
        (**self).select_member(union, member);
    }

    fn children_are_settled(&self) -> bool {
        (**self).children_are_settled()
    }

    fn walk_children(&self, old: Option<&Self>, at: &Place<'_>, visitor: &mut dyn Visitor) {
        (**self).walk_children(old.map(|old| &**old), at, visitor);
    }

    fn walk_children_mut(
        &mut self,
        old: Option<&Self>,
        at: &Place<'_>,
        visitor: &mut dyn VisitorMut,
    ) {
        (**self).walk_children_mut(old.map(|old| &**old), at, visitor);
    }

    fn visit_unions(visit: &mut dyn FnMut(&'static UnionSpec<'static>)) {
        T::visit_unions(visit);
    }

    fn list_maps() -> &'static [(&'static str, &'static [&'static str])] {
        T::list_maps()
    }

    fn patch_fields() -> &'static [(&'static str, &'static str, &'static str)] {
        T::patch_fields()
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
///
/// ```
/// use union_runtime::{EnumType, EnumValue};
///
/// #[derive(EnumType, serde::Serialize, serde::Deserialize)]
/// enum Protocol {
///     /// Reliable.
///     #[serde(rename = "TCP")]
///     Tcp,
///     #[enum_type(other)]
///     #[serde(untagged)]
///     Unknown(String),
/// }
///
/// assert_eq!(<Protocol as EnumType>::VALUES, ["TCP"]);
/// assert_eq!(<Protocol as EnumType>::DOCS, ["Reliable."]);
/// assert_eq!(Protocol::Tcp.value(), EnumValue::Known(0));
/// assert_eq!(Protocol::Unknown("SCTP".into()).as_str(), "SCTP");
/// ```
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

    /// What the derives look the values up by, while they compile. For them alone.
    #[doc(hidden)]
    const KEYS: &'static [u64] = &[];

    /// Whether reading keeps a value that is not listed, as the variant with `#[enum_type(other)]` does. Without that,
    /// `#[union(unknown)]` cannot keep members: reading fails at the discriminator.
    const KEEPS_UNKNOWN: bool = false;

    /// Which of the values this is.
    fn value(&self) -> EnumValue<'_>;

    /// The value at a position of [`VALUES`](Self::VALUES); `None` if there is none.
    fn at(position: usize) -> Option<Self>;

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
    const KEEPS_UNKNOWN: bool = E::KEEPS_UNKNOWN;

    #[inline]
    fn value(&self) -> EnumValue<'_> {
        (**self).value()
    }

    fn at(position: usize) -> Option<Self> {
        E::at(position).map(Box::new)
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
    /// What the variant with `#[enum_type(other)]` means by this text: a known value, where it is the text of one.
    #[must_use]
    pub fn of_text<E: EnumType>(text: &'a str) -> Self {
        match E::VALUES.iter().position(|value| *value == text) {
            Some(position) => Self::Known(position),
            None => Self::Unknown(text),
        }
    }
}

/// A field that can be a discriminator (KEP-1027, "Discriminator Field"): an enum type, or an `Option` of one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a discriminator",
    label = "not an enum type",
    note = "a discriminator is an enum of unit variants with `#[derive(union_runtime::EnumType)]`, or an `Option` of one (KEP-1027, \"Discriminator Values\"); a `String` can be one with `deduce`"
)]
pub trait Discriminator {
    /// What the type says of the field.
    const FACTS: &'static DiscriminatorFacts;

    /// What the field says.
    fn selected(&self) -> Selected<'_>;

    /// What the field says, where absence stands for a default (the schema's, which is serde's).
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
    const FACTS: &'static DiscriminatorFacts = &DiscriminatorFacts::of::<E>(false);

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
    const FACTS: &'static DiscriminatorFacts = &DiscriminatorFacts::of::<E>(true);

    #[inline]
    fn selected(&self) -> Selected<'_> {
        match self {
            Some(value) => Discriminator::selected(value),
            None => Selected::Missing,
        }
    }
}

/// A field that can be a discriminator which follows the members (`deduce`): an enum type or a string, or an `Option` of
/// one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a discriminator",
    label = "neither an enum type nor a `String`",
    note = "with `deduce` a discriminator is a `String`, an enum of unit variants with `#[derive(union_runtime::EnumType)]`, or an `Option` of one (KEP-1027 in its 2019 form, \"Go tags\")"
)]
pub trait DeducedDiscriminator {
    /// What the type says of the field.
    const FACTS: &'static DiscriminatorFacts;

    /// What the field says; a string says what it is, and [`State`] knows whether that names a member.
    fn selected(&self) -> Selected<'_>;

    /// Makes the field say `member`: by its discriminator value.
    fn select(&mut self, member: MemberSpec<'_>);
}

#[diagnostic::do_not_recommend]
impl<E: EnumType> DeducedDiscriminator for E {
    const FACTS: &'static DiscriminatorFacts = <E as Discriminator>::FACTS;

    fn selected(&self) -> Selected<'_> {
        Discriminator::selected(self)
    }

    fn select(&mut self, member: MemberSpec<'_>) {
        if let Some(value) = E::at(member.value_index()) {
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
        *self = E::at(member.value_index());
    }
}

#[diagnostic::do_not_recommend]
impl DeducedDiscriminator for String {
    const FACTS: &'static DiscriminatorFacts = &DiscriminatorFacts::of_text(false);

    fn selected(&self) -> Selected<'_> {
        Selected::Unknown(self)
    }

    fn select(&mut self, member: MemberSpec<'_>) {
        member.value().clone_into(self);
    }
}

#[diagnostic::do_not_recommend]
impl DeducedDiscriminator for Option<String> {
    const FACTS: &'static DiscriminatorFacts = &DiscriminatorFacts::of_text(true);

    fn selected(&self) -> Selected<'_> {
        match self {
            Some(text) => Selected::Unknown(text),
            None => Selected::Missing,
        }
    }

    fn select(&mut self, member: MemberSpec<'_>) {
        *self = Some(member.value().to_owned());
    }
}
