//! The fields of a JSON object as a list of tokens.

use serde_json::Value;

/// The fields of an object as a list of tokens. Strings are borrowed from the input if possible.
///
/// A type that can be read from the tape can also be read from the [`Value`] of the same field. The
/// results are equal, unless an object in the value has duplicate keys. A type that cannot be read
/// from the tape can perhaps be read from the `Value`, for example a map with integers as keys. So
/// after an error, the caller reads from [`into_object`](Self::into_object).
#[derive(Debug)]
pub struct Tape<'de> {
    /// The tokens of the names and values of the fields.
    pub(super) tokens: Vec<Token<'de>>,
    /// The names that a field may have.
    pub(super) names: &'static [&'static str],
    pub(super) field_count: usize,
    /// The strings that are not borrowed from the input.
    pub(super) strings: String,
    /// The numbers that do not fit into 64 bits.
    pub(super) numbers: Vec<Value>,
    /// True if an object has a key of `serde_json`'s own.
    pub(super) has_private_object: bool,
}

/// A scalar, or the start of an array or object, whose elements or keys and values follow.
#[derive(Clone, Copy, Debug)]
pub(super) enum Token<'de> {
    Null,
    Bool(bool),
    U64(u64),
    I64(i64),
    F64(f64),
    /// The position of the number in `numbers`.
    Number(usize),
    /// The index of the name of a field in `names`.
    Name(u32),
    Borrowed(&'de str),
    /// The start and the end of the string in `strings`.
    Owned(usize, usize),
    /// The number of elements, and the position of the token after the last element.
    Array(usize, usize),
    /// The number of entries, and the position of the token after the last entry.
    Object(usize, usize),
}

impl<'de> Tape<'de> {
    /// Returns the token at a position. The tape has a token at every position that callers use.
    #[inline]
    pub(super) fn token(&self, position: usize) -> Token<'de> {
        let token = self.tokens.get(position);
        token.copied().unwrap_or(Token::Null)
    }

    /// Returns the string at a position, or `None` if the token is not a string.
    #[inline]
    pub(super) fn string(&self, position: usize) -> Option<&str> {
        match self.token(position) {
            Token::Borrowed(string) => Some(string),
            Token::Owned(start, end) => self.strings.get(start..end),
            Token::Name(index) => self.names.get(index as usize).copied(),
            _ => None,
        }
    }
}
