//! Escapes such as `%20`, and which bytes need them.

use core::fmt::{self, Write as _};
use core::str::Utf8Chunk;

use crate::scan::is_hex_digit;

use crate::net::quoted_bytes::QuotedBytes;

/// The part of a URL that contains a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EscapeMode {
    User,
    Host,
    /// The zone after the address of a host.
    Zone,
    Path,
    Query,
    Fragment,
}

/// The reason why a string is invalid in a part of a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EscapeError<'t> {
    InvalidEscape(&'t [u8]),
    InvalidHostByte(u8),
}

impl fmt::Display for EscapeError<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::InvalidEscape(bytes) => write!(f, "invalid URL escape {}", QuotedBytes(bytes)),
            Self::InvalidHostByte(byte) => {
                write!(
                    f,
                    "invalid character {} in host name",
                    QuotedBytes(&[*byte])
                )
            }
        }
    }
}

/// Returns the bytes as a string. Go keeps bytes that are not UTF-8; here, each becomes a
/// replacement character.
pub(super) fn to_string_lossy(bytes: &[u8]) -> String {
    let parts = |chunk: Utf8Chunk<'_>| {
        let bad = "\u{fffd}".repeat(chunk.invalid().len());
        [chunk.valid(), &bad].concat()
    };
    bytes.utf8_chunks().map(parts).collect()
}

/// Checks the escapes of a string; in a host, also its other bytes.
pub(super) fn check_escapes(text: &str, place: EscapeMode) -> Result<(), EscapeError<'_>> {
    let is_of_host = matches!(place, EscapeMode::Host | EscapeMode::Zone);
    let mut rest = text.as_bytes();
    loop {
        rest = match rest {
            [] => return Ok(()),
            [b'%', after @ ..] => {
                let (start, _) = rest.split_at(rest.len().min(3));
                let [a, b, after @ ..] = after else {
                    return Err(EscapeError::InvalidEscape(start));
                };
                let Some(byte) = decode_hex_byte(*a, *b) else {
                    return Err(EscapeError::InvalidEscape(start));
                };
                // In a host, only bytes beyond ASCII and `%` may be escaped.
                let may_be_escaped = match place {
                    EscapeMode::Host => byte >= 0x80 || byte == b'%',
                    EscapeMode::Zone => {
                        byte == b'%' || byte == b' ' || !needs_escape(byte, EscapeMode::Host)
                    }
                    _ => true,
                };
                if !may_be_escaped {
                    return Err(EscapeError::InvalidEscape(start));
                }
                after
            }
            [byte, ..] if is_of_host && *byte < 0x80 && needs_escape(*byte, place) => {
                return Err(EscapeError::InvalidHostByte(*byte));
            }
            [_, after @ ..] => after,
        };
    }
}

fn decode_hex_byte(a: u8, b: u8) -> Option<u8> {
    let digit = |digit: u8| char::from(digit).to_digit(16);
    u8::try_from(digit(a)? << 4 | digit(b)?).ok()
}

/// Returns the bytes of a checked string, with resolved escapes.
pub(super) fn unescape_bytes(text: &str, place: EscapeMode) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    loop {
        rest = match rest {
            [] => return bytes,
            [b'%', a, b, after @ ..] if is_hex_digit(*a) && is_hex_digit(*b) => {
                bytes.extend(decode_hex_byte(*a, *b));
                after
            }
            [b'+', after @ ..] if place == EscapeMode::Query => {
                bytes.push(b' ');
                after
            }
            [byte, after @ ..] => {
                bytes.push(*byte);
                after
            }
        };
    }
}

pub(super) fn escape_bytes(bytes: &[u8], place: EscapeMode) -> String {
    let mut text = String::with_capacity(bytes.len());
    for byte in bytes {
        if needs_escape(*byte, place) {
            // Writing to a String cannot fail.
            let _ = write!(text, "%{byte:02X}");
        } else {
            text.push(char::from(*byte));
        }
    }
    text
}

/// Returns the string unchanged if each of its characters is allowed, or else with the default
/// escapes.
pub(super) fn escape_if_needed(text: &str, place: EscapeMode) -> String {
    let is_kept = |byte: u8| match byte {
        b'[' | b']' | b'!' | b'\'' | b'(' | b')' | b'*' | b'%' => true,
        byte => !needs_escape(byte, place),
    };
    if text.bytes().all(is_kept) {
        return text.to_owned();
    }
    escape_bytes(&unescape_bytes(text, place), place)
}

fn needs_escape(byte: u8, place: EscapeMode) -> bool {
    match byte {
        byte if byte.is_ascii_alphanumeric() || b"-_.~$&+,;=".contains(&byte) => false,
        b':' => place == EscapeMode::User,
        b'/' | b'@' => matches!(
            place,
            EscapeMode::User | EscapeMode::Host | EscapeMode::Zone
        ),
        b'?' => place != EscapeMode::Fragment,
        b'!' | b'(' | b')' | b'*' => !matches!(
            place,
            EscapeMode::Host | EscapeMode::Zone | EscapeMode::Fragment
        ),
        b'\'' | b'[' | b']' | b'<' | b'>' | b'"' => {
            !matches!(place, EscapeMode::Host | EscapeMode::Zone)
        }
        _ => true,
    }
}
