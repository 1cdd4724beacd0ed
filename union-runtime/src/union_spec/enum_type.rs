//! Enum types (KEP-2887), the usual type of a discriminator.

/// An enum type (KEP-2887): a string with a closed set of values.
///
/// Derive this trait; see [`#[derive(EnumType)]`](macro@crate::EnumType).
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
    /// The values as they are serialized, in source order, without the variant for unknown values.
    const VALUES: &'static [&'static str];

    /// The doc comments of the values, in the same order. The entry of a value without a doc
    /// comment is `""`.
    const DOCS: &'static [&'static str];

    /// The hashes of the values, by which the derives find the values at compile time. Only the
    /// derives set this constant.
    #[doc(hidden)]
    const KEYS: &'static [u64] = &[];

    /// True if deserialization keeps an unknown value, in the variant with `#[enum_type(other)]`.
    /// Otherwise `#[union(unknown)]` has no effect, because deserialization fails at the
    /// discriminator.
    const KEEPS_UNKNOWN: bool = false;

    /// Returns the position of the value, or the string of an unknown value.
    fn value(&self) -> EnumValue<'_>;

    /// Returns the value at a position of [`VALUES`](Self::VALUES), or `None` if the position is
    /// out of range.
    fn from_index(position: usize) -> Option<Self>;

    /// Returns an error if serde does not read and write each value as [`VALUES`](Self::VALUES)
    /// lists the value. Only the derive implements this function, for types with both traits of
    /// serde.
    #[doc(hidden)]
    #[must_use]
    fn json_error() -> Option<String> {
        None
    }

    /// Returns the value as it is serialized.
    #[must_use]
    fn as_str(&self) -> &str {
        match self.value() {
            EnumValue::Known(position) => Self::VALUES.get(position).copied().unwrap_or_default(),
            EnumValue::Unknown(value) => value,
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

    fn from_index(position: usize) -> Option<Self> {
        E::from_index(position).map(Box::new)
    }

    fn json_error() -> Option<String> {
        E::json_error()
    }
}

/// A value of an enum type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EnumValue<'a> {
    /// The value at this position of [`EnumType::VALUES`].
    Known(usize),
    /// A value that this build does not know: the string of the variant with `#[enum_type(other)]`.
    Unknown(&'a str),
}

impl<'a> EnumValue<'a> {
    /// Returns the value for the string in the variant with `#[enum_type(other)]`. The value is
    /// known if [`EnumType::VALUES`] contains the string.
    #[must_use]
    pub fn parse<E: EnumType>(string: &'a str) -> Self {
        match E::VALUES.iter().position(|value| *value == string) {
            Some(position) => Self::Known(position),
            None => Self::Unknown(string),
        }
    }
}
