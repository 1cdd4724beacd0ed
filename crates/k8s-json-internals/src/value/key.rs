//! Keys that identify the elements of a list.

use serde_json::Value;

use crate::value::digest;

/// The value of a field with `#[union(key)]`.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Key<'a> {
    /// A string, or the value of an enum type.
    Str(&'a str),
    /// An integer.
    Integer(i128),
    /// `true` or `false`.
    Bool(bool),
    /// A float, by its bits; only JSON has such keys.
    Float(u64),
}

impl Key<'_> {
    /// Returns a number that is equal for equal keys, and usually different for others; see
    /// [`digest`].
    #[inline]
    #[must_use]
    pub fn digest(&self) -> u64 {
        match self {
            Self::Str(text) => digest::digest_str(text),
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "integers of JSON have 64 bits, and what is cut off makes no other number of the same"
            )]
            Self::Integer(integer) => digest::digest_u64(*integer as u64),
            Self::Bool(value) => digest::digest_u64(u64::from(*value)),
            Self::Float(bits) => digest::digest_u64(*bits),
        }
    }
}

/// Returns the value of a key, as an API server compares it: integers, floats, strings and booleans
/// all differ. With several keys, which are not compared exactly (`is_exact`), floats have six
/// decimals. Returns `None` for a value that is not a scalar.
#[must_use]
pub fn scalar_key(value: &Value, is_exact: bool) -> Option<Key<'_>> {
    match value {
        Value::String(text) => Some(Key::Str(text)),
        Value::Bool(value) => Some(Key::Bool(*value)),
        Value::Number(number) => {
            if let Some(integer) = number.as_i64() {
                return Some(Key::Integer(integer.into()));
            }
            // A number that does not fit 64 bits is a float.
            let float = number.as_f64()?;
            let float = if is_exact {
                // 0.0 and -0.0 are equal.
                float + 0.0
            } else {
                // 0.0 and -0.0 are printed differently.
                format!("{float:.6}").parse().unwrap_or(float)
            };
            Some(Key::Float(float.to_bits()))
        }
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}
