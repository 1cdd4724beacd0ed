//! Enum types (KEP-2887): what a discriminator mostly is, and what a union needs to know of it.

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
    /// The values as they stand on the wire, in source order; without those that a build does not
    /// know.
    const VALUES: &'static [&'static str];

    /// The doc comments of the values, in the same order; `""` where there is none.
    const DOCS: &'static [&'static str];

    /// The keys by which the derives look the values up, while they compile. For the derives alone.
    #[doc(hidden)]
    const KEYS: &'static [u64] = &[];

    /// True if reading keeps a value that is not listed, as the variant with `#[enum_type(other)]`
    /// does. Otherwise `#[union(unknown)]` cannot keep members, because reading fails at the
    /// discriminator.
    const KEEPS_UNKNOWN: bool = false;

    /// Returns the value: its position, or an unknown string.
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

/// A value of an enum type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EnumValue<'a> {
    /// The one at this position of [`EnumType::VALUES`].
    Known(usize),
    /// A value that this build does not know: the string of the variant with `#[enum_type(other)]`.
    Unknown(&'a str),
}

impl<'a> EnumValue<'a> {
    /// Returns the value that the variant with `#[enum_type(other)]` means by this string: a known
    /// value, if the string is listed.
    #[must_use]
    pub fn of_text<E: EnumType>(text: &'a str) -> Self {
        match E::VALUES.iter().position(|value| *value == text) {
            Some(position) => Self::Known(position),
            None => Self::Unknown(text),
        }
    }
}
