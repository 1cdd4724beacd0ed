//! Escapes such as `%20`, and which bytes need them.

use core::fmt::{self, Write as _};
use core::str::Utf8Chunk;

use crate::scan::is_hex;

use crate::net::quoted_bytes::QuotedBytes;

/// The part of a URL that contains a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
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
pub(super) enum Bad<'t> {
    Escape(&'t [u8]),
    InHost(u8),
}

impl fmt::Display for Bad<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Escape(bytes) => write!(f, "invalid URL escape {}", QuotedBytes(bytes)),
            Self::InHost(byte) => {
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
pub(super) fn text(bytes: &[u8]) -> String {
    let parts = |chunk: Utf8Chunk<'_>| {
        let bad = "\u{fffd}".repeat(chunk.invalid().len());
        [chunk.valid(), &bad].concat()
    };
    bytes.utf8_chunks().map(parts).collect()
}

/// Checks the escapes of a string; in a host, also its other bytes.
pub(super) fn check(text: &str, place: Place) -> Result<(), Bad<'_>> {
    let is_of_host = matches!(place, Place::Host | Place::Zone);
    let mut rest = text.as_bytes();
    loop {
        rest = match rest {
            [] => return Ok(()),
            [b'%', after @ ..] => {
                let (start, _) = rest.split_at(rest.len().min(3));
                let [a, b, after @ ..] = after else {
                    return Err(Bad::Escape(start));
                };
                let Some(byte) = byte(*a, *b) else {
                    return Err(Bad::Escape(start));
                };
                // In a host, only bytes beyond ASCII and `%` may be escaped.
                let may_be_escaped = match place {
                    Place::Host => byte >= 0x80 || byte == b'%',
                    Place::Zone => byte == b'%' || byte == b' ' || !needs_escape(byte, Place::Host),
                    _ => true,
                };
                if !may_be_escaped {
                    return Err(Bad::Escape(start));
                }
                after
            }
            [byte, ..] if is_of_host && *byte < 0x80 && needs_escape(*byte, place) => {
                return Err(Bad::InHost(*byte));
            }
            [_, after @ ..] => after,
        };
    }
}

fn byte(a: u8, b: u8) -> Option<u8> {
    let digit = |digit: u8| char::from(digit).to_digit(16);
    u8::try_from(digit(a)? << 4 | digit(b)?).ok()
}

/// Returns the bytes of a checked string, with resolved escapes.
pub(super) fn unescaped(text: &str, place: Place) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    loop {
        rest = match rest {
            [] => return bytes,
            [b'%', a, b, after @ ..] if is_hex(*a) && is_hex(*b) => {
                bytes.extend(byte(*a, *b));
                after
            }
            [b'+', after @ ..] if place == Place::Query => {
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

pub(super) fn escaped(bytes: &[u8], place: Place) -> String {
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
pub(super) fn kept(text: &str, place: Place) -> String {
    let is_kept = |byte: u8| match byte {
        b'[' | b']' | b'!' | b'\'' | b'(' | b')' | b'*' | b'%' => true,
        byte => !needs_escape(byte, place),
    };
    if text.bytes().all(is_kept) {
        return text.to_owned();
    }
    escaped(&unescaped(text, place), place)
}

fn needs_escape(byte: u8, place: Place) -> bool {
    match byte {
        byte if byte.is_ascii_alphanumeric() || b"-_.~$&+,;=".contains(&byte) => false,
        b':' => place == Place::User,
        b'/' | b'@' => matches!(place, Place::User | Place::Host | Place::Zone),
        b'?' => place != Place::Fragment,
        b'!' | b'(' | b')' | b'*' => !matches!(place, Place::Host | Place::Zone | Place::Fragment),
        b'\'' | b'[' | b']' | b'<' | b'>' | b'"' => !matches!(place, Place::Host | Place::Zone),
        _ => true,
    }
}
