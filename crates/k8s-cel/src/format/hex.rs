//! `byte` and `bsonobjectid`: bytes, written as letters and digits.

use super::scan::is_hex;

/// Base64 with its padding, of the standard alphabet and not empty.
pub(super) fn is_base64(text: &str) -> bool {
    let bytes = text.as_bytes();
    let digits = match bytes {
        [digits @ .., b'=', b'='] | [digits @ .., b'='] | digits => digits,
    };
    let is_digit = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
    !bytes.is_empty() && bytes.len().is_multiple_of(4) && digits.iter().all(is_digit)
}

/// Twelve bytes in hex.
pub(super) fn is_bson_object_id(text: &str) -> bool {
    text.len() == 24 && text.bytes().all(is_hex)
}
