//! Escapes such as `%20`, and the bytes that must be escaped.

use core::fmt::{self, Write as _};
use core::str::Utf8Chunk;

use crate::scan::is_hex_digit;

use crate::net::quoted_bytes::QuotedBytes;

/// The component of a URL that contains a string, which decides the bytes to escape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EscapeMode {
    User,
    Host,
    /// The zone of a host's address.
    Zone,
    Path,
    Query,
    Fragment,
}

/// The reason why a string is invalid in a component of a URL.
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

/// Returns the bytes as a string. Each byte that is not UTF-8 becomes a replacement character; Go
/// keeps such bytes.
pub(super) fn to_string_lossy(bytes: &[u8]) -> String {
    let to_valid = |chunk: Utf8Chunk<'_>| {
        let replacement = "\u{fffd}".repeat(chunk.invalid().len());
        [chunk.valid(), &replacement].concat()
    };
    bytes.utf8_chunks().map(to_valid).collect()
}

/// Checks the escapes of a string. In a host, the other bytes are also checked.
pub(super) fn check_escapes(string: &str, mode: EscapeMode) -> Result<(), EscapeError<'_>> {
    let is_in_host = matches!(mode, EscapeMode::Host | EscapeMode::Zone);
    let mut rest = string.as_bytes();
    loop {
        rest = match rest {
            [] => return Ok(()),
            [b'%', after @ ..] => {
                let (escape_sequence, _) = rest.split_at(rest.len().min(3));
                let [high, low, after @ ..] = after else {
                    return Err(EscapeError::InvalidEscape(escape_sequence));
                };
                let Some(byte) = decode_hex_byte(*high, *low) else {
                    return Err(EscapeError::InvalidEscape(escape_sequence));
                };
                // In a host, only `%` and bytes outside of ASCII may be escaped.
                let may_be_escaped = match mode {
                    EscapeMode::Host => byte >= 0x80 || byte == b'%',
                    EscapeMode::Zone => {
                        byte == b'%' || byte == b' ' || !needs_escape(byte, EscapeMode::Host)
                    }
                    _ => true,
                };
                if !may_be_escaped {
                    return Err(EscapeError::InvalidEscape(escape_sequence));
                }
                after
            }
            [byte, ..] if is_in_host && *byte < 0x80 && needs_escape(*byte, mode) => {
                return Err(EscapeError::InvalidHostByte(*byte));
            }
            [_, after @ ..] => after,
        };
    }
}

fn decode_hex_byte(high: u8, low: u8) -> Option<u8> {
    let digit = |digit: u8| char::from(digit).to_digit(16);
    u8::try_from(digit(high)? << 4 | digit(low)?).ok()
}

/// Returns the bytes of a valid string, with escapes resolved.
pub(super) fn unescape_bytes(string: &str, mode: EscapeMode) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(string.len());
    let mut rest = string.as_bytes();
    loop {
        rest = match rest {
            [] => return bytes,
            [b'%', high, low, after @ ..] if is_hex_digit(*high) && is_hex_digit(*low) => {
                bytes.extend(decode_hex_byte(*high, *low));
                after
            }
            [b'+', after @ ..] if mode == EscapeMode::Query => {
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

/// Returns the bytes as a string, with an escape for each byte that the component does not allow.
pub(super) fn escape_bytes(bytes: &[u8], mode: EscapeMode) -> String {
    let mut escaped = String::with_capacity(bytes.len());
    for byte in bytes {
        if needs_escape(*byte, mode) {
            // Writing to a `String` cannot fail.
            let _ = write!(escaped, "%{byte:02X}");
        } else {
            escaped.push(char::from(*byte));
        }
    }
    escaped
}

/// Returns the string unchanged if all its bytes are allowed, or else with Go's default escapes.
pub(super) fn escape_if_needed(string: &str, mode: EscapeMode) -> String {
    let is_allowed = |byte: u8| match byte {
        b'[' | b']' | b'!' | b'\'' | b'(' | b')' | b'*' | b'%' => true,
        byte => !needs_escape(byte, mode),
    };
    if string.bytes().all(is_allowed) {
        return string.to_owned();
    }
    escape_bytes(&unescape_bytes(string, mode), mode)
}

/// Returns true if Go escapes a byte in a component, as `shouldEscape` of `net/url` decides.
fn needs_escape(byte: u8, mode: EscapeMode) -> bool {
    match byte {
        byte if byte.is_ascii_alphanumeric() || b"-_.~$&+,;=".contains(&byte) => false,
        b':' => mode == EscapeMode::User,
        b'/' | b'@' => matches!(mode, EscapeMode::User | EscapeMode::Host | EscapeMode::Zone),
        b'?' => mode != EscapeMode::Fragment,
        b'!' | b'(' | b')' | b'*' => !matches!(
            mode,
            EscapeMode::Host | EscapeMode::Zone | EscapeMode::Fragment
        ),
        b'\'' | b'[' | b']' | b'<' | b'>' | b'"' => {
            !matches!(mode, EscapeMode::Host | EscapeMode::Zone)
        }
        _ => true,
    }
}
