//! Base64, with padding, as the package `encoding/base64` of Go reads it: an error has the position
//! of the first invalid character, and line breaks are ignored. The crate `base64` has neither: its
//! errors count other positions, and it rejects line breaks. `read` also streams, so that checking
//! a value of format `byte` allocates nothing.

use core::fmt;

/// The alphabet of base64, which defines the digits for 62 and 63.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alphabet {
    /// The digits `+` and `/`.
    Standard,
    /// The digits `-` and `_`, for URLs, as values of format `byte` are read in CEL.
    Url,
}

/// The error of a string that is not base64: the position that an API server reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CorruptInputError(usize);

/// Decodes a string.
///
/// # Errors
///
/// Returns the position of the first invalid character if the string is not base64.
pub fn decode(text: &str, alphabet: Alphabet) -> Result<Vec<u8>, CorruptInputError> {
    let mut out = Vec::with_capacity(text.len() / 4 * 3 + 2);
    decode_each(text.as_bytes(), alphabet, |byte| out.push(byte))?;
    Ok(out)
}

/// Encodes bytes with the standard alphabet.
#[must_use]
pub fn encode(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let [a, b, c] = [0, 1, 2].map(|at| group.get(at).map_or(0, |byte| u32::from(*byte)));
        let bits = a << 16 | b << 8 | c;
        for at in 0..4 {
            let value = low(bits >> (18 - 6 * at) & 63);
            let is_digit = at <= group.len();
            out.push(if is_digit { digit_of(value) } else { '=' });
        }
    }
    out
}

/// Decodes a string, and calls `hand_on` with each byte. Line breaks are ignored.
///
/// # Errors
///
/// Returns the position of the first invalid character if the string is not base64.
pub fn decode_each(
    text: &[u8],
    alphabet: Alphabet,
    mut hand_on: impl FnMut(u8),
) -> Result<(), CorruptInputError> {
    let (mut bits, mut held) = (0_u32, 0);
    for (at, byte) in text.iter().enumerate() {
        if is_line_break(*byte) {
            continue;
        }
        let Some(value) = alphabet.value_of(*byte) else {
            return padding(text, at, held);
        };
        bits = bits << 6 | u32::from(value);
        match held {
            0 => {}
            1 => hand_on(low(bits >> 4)),
            2 => hand_on(low(bits >> 2)),
            _ => hand_on(low(bits)),
        }
        held = (held + 1) % 4;
    }
    if held > 0 {
        return Err(CorruptInputError(text.len() - held));
    }
    Ok(())
}

/// Checks the padding from the first character that is not in the alphabet, after `held` characters
/// of a group of four.
fn padding(text: &[u8], at: usize, held: usize) -> Result<(), CorruptInputError> {
    if text.get(at) != Some(&b'=') || held < 2 {
        return Err(CorruptInputError(at));
    }
    let after = |at: usize| {
        let rest = text.get(at..).unwrap_or_default();
        at + rest.iter().take_while(|byte| is_line_break(**byte)).count()
    };
    let mut end = after(at + 1);
    if held == 2 {
        match text.get(end) {
            Some(b'=') => end = after(end + 1),
            Some(_) => return Err(CorruptInputError(end - 1)),
            None => return Err(CorruptInputError(end)),
        }
    }
    if end < text.len() {
        return Err(CorruptInputError(end));
    }
    Ok(())
}

const fn is_line_break(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

fn low(bits: u32) -> u8 {
    bits.to_le_bytes()[0]
}

/// Returns the digit of a value in the standard alphabet.
fn digit_of(value: u8) -> char {
    char::from(match value {
        0..26 => b'A' + value,
        26..52 => b'a' + (value - 26),
        52..62 => b'0' + (value - 52),
        62 => b'+',
        _ => b'/',
    })
}

impl Alphabet {
    const fn value_of(self, byte: u8) -> Option<u8> {
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
    fn errors_name_the_place_that_a_server_names() {
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
        for (text, at) in cases {
            assert_eq!(
                decode(text, Alphabet::Url).err(),
                at.map(CorruptInputError),
                "{text}"
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
    fn what_is_written_is_read_again() {
        let bytes: Vec<u8> = (0..=255).collect();
        for start in 0..bytes.len() {
            let bytes = &bytes[start..];
            let text = encode(bytes);
            assert_eq!(
                decode(&text, Alphabet::Standard).as_deref(),
                Ok(bytes),
                "{text}"
            );
        }
        assert_eq!(encode(b"ab"), "YWI=");
    }
}
