//! The format `mac`: a hardware address of 6, 8 or 20 bytes.

use k8s_go_text::scan::{Scanner, is_hex_digit};

pub(super) fn is_mac(text: &str) -> bool {
    let bytes = text.as_bytes();
    match bytes {
        [_, _, separator @ (b':' | b'-'), ..] => is_grouped(bytes, *separator, 1),
        [_, _, _, _, b'.', ..] => is_grouped(bytes, b'.', 2),
        _ => is_ungrouped(bytes),
    }
}

/// Returns true for groups of `size` bytes in hex digits, separated by the separator.
fn is_grouped(text: &[u8], separator: u8, size: usize) -> bool {
    let mut text = Scanner(text);
    let mut bytes = 0;
    while text.eat_exactly(2 * size, is_hex_digit) {
        bytes += size;
        if text.is_done() {
            return is_length(bytes);
        }
        if !text.eat(separator) {
            return false;
        }
    }
    false
}

/// Returns true for hex digits without separators.
fn is_ungrouped(text: &[u8]) -> bool {
    text.len().is_multiple_of(2)
        && is_length(text.len() / 2)
        && text.iter().all(|byte| is_hex_digit(*byte))
}

const fn is_length(bytes: usize) -> bool {
    matches!(bytes, 6 | 8 | 20)
}
