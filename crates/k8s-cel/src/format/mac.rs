//! The format `mac`: a hardware address of 6, 8 or 20 bytes.

use k8s_go_text::scan::{Scanner, is_hex_digit};

pub(super) fn is_mac(string: &str) -> bool {
    let bytes = string.as_bytes();
    match bytes {
        [_, _, separator @ (b':' | b'-'), ..] => is_grouped(bytes, *separator, 1),
        [_, _, _, _, b'.', ..] => is_grouped(bytes, b'.', 2),
        _ => is_ungrouped(bytes),
    }
}

/// Returns true for groups of `size` bytes in hex digits, separated by the separator.
fn is_grouped(string: &[u8], separator: u8, size: usize) -> bool {
    let mut string = Scanner(string);
    let mut bytes = 0;
    while string.eat_exactly(2 * size, is_hex_digit) {
        bytes += size;
        if string.is_done() {
            return is_address_length(bytes);
        }
        if !string.eat(separator) {
            return false;
        }
    }
    false
}

/// Returns true for hex digits without separators.
fn is_ungrouped(string: &[u8]) -> bool {
    string.len().is_multiple_of(2)
        && is_address_length(string.len() / 2)
        && string.iter().all(|byte| is_hex_digit(*byte))
}

const fn is_address_length(bytes: usize) -> bool {
    matches!(bytes, 6 | 8 | 20)
}
