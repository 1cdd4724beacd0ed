//! Keys that identify the elements of a list.

use serde_json::Value;

use crate::value::digest;

/// The value of a key of a list element: of a field with `#[union(key)]`, or of a field in
/// `listMapKeys`.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Key<'a> {
    /// A string, or the value of an enum type.
    Str(&'a str),
    /// An integer.
    Integer(i128),
    /// `true` or `false`.
    Bool(bool),
    /// A float, as its bits. Only lists in JSON have such keys.
    Float(u64),
}

impl<'a> From<&'a String> for Key<'a> {
    fn from(string: &'a String) -> Self {
        Self::Str(string)
    }
}

impl From<&bool> for Key<'_> {
    fn from(value: &bool) -> Self {
        Self::Bool(*value)
    }
}

macro_rules! key_from_integer {
    ($($integer:ty)*) => {$(
        impl From<&$integer> for Key<'_> {
            fn from(integer: &$integer) -> Self {
                Self::Integer(i128::from(*integer))
            }
        }
    )*};
}

key_from_integer!(i8 i16 i32 i64 u8 u16 u32 u64);

impl Key<'_> {
    /// Returns a digest, which is equal for equal keys and usually different for others. See
    /// [`digest`].
    #[inline]
    #[must_use]
    pub fn digest(&self) -> u64 {
        match self {
            Self::Str(string) => digest::digest_str(string),
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "integers of JSON have at most 64 bits, so the cast maps different integers to different numbers"
            )]
            Self::Integer(integer) => digest::digest_u64(*integer as u64),
            Self::Bool(value) => digest::digest_u64(u64::from(*value)),
            Self::Float(bits) => digest::digest_u64(*bits),
        }
    }
}

/// Returns the value of a key, as an API server compares keys, or `None` for a value that is not a
/// scalar. An integer, a float, a string and a boolean are never equal to each other.
///
/// An API server compares a single key exactly (`is_exact`). For several keys, it compares floats
/// with six decimals.
#[must_use]
pub fn scalar_key(value: &Value, is_exact: bool) -> Option<Key<'_>> {
    match value {
        Value::String(string) => Some(Key::Str(string)),
        Value::Bool(value) => Some(Key::Bool(*value)),
        Value::Number(number) => {
            if let Some(integer) = number.as_i64() {
                return Some(Key::Integer(integer.into()));
            }
            // A number that does not fit 64 bits is a float.
            let float = number.as_f64()?;
            let float = if is_exact {
                // Adding 0.0 turns -0.0 into 0.0: they are equal.
                float + 0.0
            } else {
                // The decimals keep the sign: 0.0 and -0.0 differ.
                format!("{float:.6}").parse().unwrap_or(float)
            };
            Some(Key::Float(float.to_bits()))
        }
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}
