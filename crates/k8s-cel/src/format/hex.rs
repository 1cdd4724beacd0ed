//! The formats `byte` and `bsonobjectid`: bytes, as letters and digits.

use k8s_go_text::base64::{Alphabet, decode_each};
use k8s_go_text::scan::is_hex_digit;

/// Returns true for a string that is not empty, in base64 with its padding and the standard
/// alphabet.
pub(super) fn is_base64(text: &str) -> bool {
    let has_line_breaks = text.contains(['\n', '\r']);
    !text.is_empty()
        && !has_line_breaks
        && decode_each(text.as_bytes(), Alphabet::Standard, |_| {}).is_ok()
}

/// Returns true for twelve bytes in hex.
pub(super) fn is_bson_object_id(text: &str) -> bool {
    text.len() == 24 && text.bytes().all(is_hex_digit)
}
