//! Functions for JSON pointers: parses the pointer in a `$ref`, and finds the valid part of a
//! pointer.

use std::borrow::Cow;

use serde_json::Value;

/// Returns the JSON pointer in the value of a `$ref`, or `None` if the reference refers to another
/// document. The pointer is the part after `#`, in which characters that URLs do not allow are
/// percent-encoded (RFC 6901, section 6).
pub(crate) fn pointer_of_reference(reference: &str) -> Option<Cow<'_, str>> {
    let pointer = reference.strip_prefix('#')?;
    if !pointer.contains('%') {
        return Some(pointer.into());
    }
    let mut bytes = Vec::with_capacity(pointer.len());
    let mut remaining_bytes = pointer.as_bytes();
    while let [byte, tail @ ..] = remaining_bytes {
        let escaped_byte = decode_hex_byte(tail).filter(|_| *byte == b'%');
        let decoded_byte;
        (decoded_byte, remaining_bytes) = escaped_byte.unwrap_or((*byte, tail));
        bytes.push(decoded_byte);
    }
    String::from_utf8(bytes).ok().map(Cow::Owned)
}

/// Returns the byte that the first two hexadecimal digits encode, and the bytes after the digits.
/// Returns `None` if the bytes do not begin with two digits.
fn decode_hex_byte(bytes: &[u8]) -> Option<(u8, &[u8])> {
    let [high, low, tail @ ..] = bytes else {
        return None;
    };
    let digit = |digit: u8| char::from(digit).to_digit(16);
    let byte = u8::try_from(digit(*high)? * 16 + digit(*low)?).ok()?;
    Some((byte, tail))
}

/// Returns the longest prefix of a JSON pointer that refers to a value.
pub(crate) fn longest_valid_prefix<'p>(value: &Value, mut pointer: &'p str) -> &'p str {
    while value.pointer(pointer).is_none() {
        let (parent, _) = pointer.rsplit_once('/').unwrap_or_default();
        pointer = parent;
    }
    pointer
}
