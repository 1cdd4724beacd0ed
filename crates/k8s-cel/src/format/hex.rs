//! The formats `byte` (base64) and `bsonobjectid` (hex).

use k8s_go_text::base64::{Alphabet, decode_each};
use k8s_go_text::scan::is_hex_digit;

/// Returns true for a nonempty string in padded base64 with the standard alphabet.
pub(super) fn is_base64(string: &str) -> bool {
    let has_line_breaks = string.contains(['\n', '\r']);
    !string.is_empty()
        && !has_line_breaks
        && decode_each(string.as_bytes(), Alphabet::Standard, |_| {}).is_ok()
}

/// Returns true for twelve bytes in hex digits.
pub(super) fn is_bson_object_id(string: &str) -> bool {
    string.len() == 24 && string.bytes().all(is_hex_digit)
}
