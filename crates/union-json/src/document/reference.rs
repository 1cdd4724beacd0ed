//! Functions for JSON pointers: parses the pointer in a `$ref`, and finds the valid part of a
//! pointer.

use std::borrow::Cow;

use serde_json::Value;

/// Returns the JSON pointer in the value of a `$ref`, or `None` if the reference refers to another
/// document. The pointer is the part after `#`. Characters that URLs do not allow are
/// percent-encoded in it (RFC 6901, section 6).
pub(crate) fn pointer_of(reference: &str) -> Option<Cow<'_, str>> {
    let pointer = reference.strip_prefix('#')?;
    if !pointer.contains('%') {
        return Some(pointer.into());
    }
    let mut bytes = Vec::with_capacity(pointer.len());
    let mut rest = pointer.as_bytes();
    while let [byte, after @ ..] = rest {
        let escaped = decode_hex_byte(after).filter(|_| *byte == b'%');
        let decoded;
        (decoded, rest) = escaped.unwrap_or((*byte, after));
        bytes.push(decoded);
    }
    String::from_utf8(bytes).ok().map(Cow::Owned)
}

/// Returns the byte that the first two hexadecimal digits encode, and the bytes after the digits.
fn decode_hex_byte(bytes: &[u8]) -> Option<(u8, &[u8])> {
    let [high, low, rest @ ..] = bytes else {
        return None;
    };
    let digit = |digit: u8| char::from(digit).to_digit(16);
    let byte = u8::try_from(digit(*high)? * 16 + digit(*low)?).ok()?;
    Some((byte, rest))
}

/// Returns the longest prefix of a JSON pointer that refers to a value.
pub(crate) fn longest_valid_prefix<'p>(value: &Value, mut pointer: &'p str) -> &'p str {
    while value.pointer(pointer).is_none() {
        let (before, _) = pointer.rsplit_once('/').unwrap_or_default();
        pointer = before;
    }
    pointer
}
