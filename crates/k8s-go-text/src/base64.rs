//! Padded base64 with the rules of Go's `encoding/base64`: errors contain the position of the first
//! invalid character, and line breaks are ignored. The crate `base64` supports neither.
//! [`decode_each`] does not allocate, so that checks of the format `byte` do not either.

use core::fmt;

/// An alphabet of base64, which determines the digits for 62 and 63.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alphabet {
    /// The digits `+` and `/`.
    Standard,
    /// The digits `-` and `_`, which CEL uses to decode values of the format `byte`.
    Url,
}

/// An error of a string that is not base64, with the position that Go reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CorruptInputError(usize);

/// Decodes a string.
///
/// # Errors
///
/// Returns an error if the string is not base64.
pub fn decode(string: &str, alphabet: Alphabet) -> Result<Vec<u8>, CorruptInputError> {
    let mut bytes = Vec::with_capacity(string.len() / 4 * 3 + 2);
    decode_each(string.as_bytes(), alphabet, |byte| bytes.push(byte))?;
    Ok(bytes)
}

/// Encodes bytes with the standard alphabet.
#[must_use]
pub fn encode(bytes: &[u8]) -> String {
    let mut string = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let [a, b, c] = [0, 1, 2].map(|index| group.get(index).map_or(0, |byte| u32::from(*byte)));
        let bits = a << 16 | b << 8 | c;
        for index in 0..4 {
            let value = low_byte(bits >> (18 - 6 * index) & 63);
            let is_digit = index <= group.len();
            string.push(if is_digit { standard_digit(value) } else { '=' });
        }
    }
    string
}

/// Decodes a string, and calls `push` with each byte. Line breaks are ignored.
///
/// # Errors
///
/// Returns an error if the string is not base64.
pub fn decode_each(
    string: &[u8],
    alphabet: Alphabet,
    mut push: impl FnMut(u8),
) -> Result<(), CorruptInputError> {
    let (mut bits, mut group_length) = (0_u32, 0);
    for (index, byte) in string.iter().enumerate() {
        if is_line_break(*byte) {
            continue;
        }
        let Some(value) = alphabet.digit_value(*byte) else {
            return check_padding(string, index, group_length);
        };
        bits = bits << 6 | u32::from(value);
        match group_length {
            0 => {}
            1 => push(low_byte(bits >> 4)),
            2 => push(low_byte(bits >> 2)),
            _ => push(low_byte(bits)),
        }
        group_length = (group_length + 1) % 4;
    }
    if group_length > 0 {
        return Err(CorruptInputError(string.len() - group_length));
    }
    Ok(())
}

/// Checks the padding at the end of a string. `index` is the position of the first character
/// outside of the alphabet, after the first `group_length` digits of a group of four.
fn check_padding(
    string: &[u8],
    index: usize,
    group_length: usize,
) -> Result<(), CorruptInputError> {
    if string.get(index) != Some(&b'=') || group_length < 2 {
        return Err(CorruptInputError(index));
    }
    let skip_line_breaks = |index: usize| {
        let rest = string.get(index..).unwrap_or_default();
        index + rest.iter().take_while(|byte| is_line_break(**byte)).count()
    };
    let mut end = skip_line_breaks(index + 1);
    if group_length == 2 {
        match string.get(end) {
            Some(b'=') => end = skip_line_breaks(end + 1),
            Some(_) => return Err(CorruptInputError(end - 1)),
            None => return Err(CorruptInputError(end)),
        }
    }
    if end < string.len() {
        return Err(CorruptInputError(end));
    }
    Ok(())
}

const fn is_line_break(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

fn low_byte(bits: u32) -> u8 {
    bits.to_le_bytes()[0]
}

/// Returns the digit of a value in the standard alphabet.
fn standard_digit(value: u8) -> char {
    char::from(match value {
        0..26 => b'A' + value,
        26..52 => b'a' + (value - 26),
        52..62 => b'0' + (value - 52),
        62 => b'+',
        _ => b'/',
    })
}

impl Alphabet {
    const fn digit_value(self, byte: u8) -> Option<u8> {
        Some(match (byte, self) {
            (b'A'..=b'Z', _) => byte - b'A',
            (b'a'..=b'z', _) => byte - b'a' + 26,
            (b'0'..=b'9', _) => byte - b'0' + 52,
            (b'+', Self::Standard) | (b'-', Self::Url) => 62,
            (b'/', Self::Standard) | (b'_', Self::Url) => 63,
            _ => return None,
        })
    }
}

impl fmt::Display for CorruptInputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "illegal base64 data at input byte {}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::{Alphabet, CorruptInputError, decode, encode};

    #[test]
    fn errors_have_the_position_that_go_reports() {
        let cases = [
            ("YQ==", None),
            ("YWJj\nYQ=\n=\n", None),
            ("ab", Some(0)),
            ("A", Some(0)),
            ("YWJjab", Some(4)),
            ("YWJ/", Some(3)),
            ("=", Some(0)),
            ("Y=Q=", Some(1)),
            ("YQ=", Some(3)),
            ("YQ=Q", Some(2)),
            ("YWI=x", Some(4)),
        ];
        for (string, position) in cases {
            assert_eq!(
                decode(string, Alphabet::Url).err(),
                position.map(CorruptInputError),
                "{string}"
            );
        }
    }

    #[test]
    fn alphabets_differ_in_two_digits() {
        assert_eq!(decode("-_8=", Alphabet::Url), Ok(vec![0xfb, 0xff]));
        assert_eq!(
            decode("-_8=", Alphabet::Standard),
            Err(CorruptInputError(0))
        );
        assert_eq!(decode("+/8=", Alphabet::Standard), Ok(vec![0xfb, 0xff]));
        assert_eq!(decode("+/8=", Alphabet::Url), Err(CorruptInputError(0)));
    }

    #[test]
    fn encoded_bytes_are_decoded_again() {
        let bytes: Vec<u8> = (0..=255).collect();
        for start in 0..bytes.len() {
            let bytes = &bytes[start..];
            let string = encode(bytes);
            assert_eq!(
                decode(&string, Alphabet::Standard).as_deref(),
                Ok(bytes),
                "{string}"
            );
        }
        assert_eq!(encode(b"ab"), "YWI=");
    }
}
