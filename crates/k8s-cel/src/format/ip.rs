//! The formats `ipv4`, `ipv6` and `cidr`. Some numbers may have leading zeros, which Go once
//! allowed.

use k8s_go_text::net::ip::{self, Addr};
use k8s_go_text::scan::{self, Scanner, is_digit, is_hex_digit};

/// Returns true for an address with a dot, so `::ffff:1.2.3.4` is valid too.
pub(super) fn is_ipv4(text: &str) -> bool {
    let bytes = text.as_bytes();
    let by_first = match bytes.iter().find(|byte| matches!(byte, b'.' | b':')) {
        Some(b'.') => is_v4(bytes),
        Some(_) => is_v6(bytes),
        None => false,
    };
    by_first && bytes.contains(&b'.')
}

pub(super) fn is_ipv6(text: &str) -> bool {
    let is_one = |read: Addr| read.address.is_ipv6() && !read.has_zone;
    ip::parse_addr(text.as_bytes()).is_ok_and(is_one)
}

/// Returns true for a plain address of either kind, as in `[::1]`.
pub(super) fn is_ip(text: &[u8]) -> bool {
    ip::parse_addr(text).is_ok_and(|read| !read.has_zone)
}

/// Returns true for an address and the length of its prefix; bits may be set after the prefix.
pub(super) fn is_cidr(text: &str) -> bool {
    let Some((address, length)) = text.split_once('/') else {
        return false;
    };
    let address = address.as_bytes();
    let most = if is_v4(address) {
        32
    } else if is_v6(address) {
        128
    } else {
        return false;
    };
    let mut length = Scanner(length.as_bytes());
    decimal(&mut length, most) && length.is_done()
}

fn is_v4(text: &[u8]) -> bool {
    let mut text = Scanner(text);
    (0..4).all(|part| (part == 0 || text.eat(b'.')) && decimal(&mut text, 255)) && text.is_done()
}

/// Reads a decimal number up to `most`. Numbers may have leading zeros, which Go once allowed.
fn decimal(text: &mut Scanner<'_>, most: u64) -> bool {
    let digits = text.eat_while(is_digit);
    !digits.is_empty() && scan::parse_decimal(digits).is_some_and(|number| number <= most)
}

fn is_v6(text: &[u8]) -> bool {
    let mut text = Scanner(text);
    let mut groups = 0;
    let mut is_shortened = false;
    if let [b':', b':', rest @ ..] = text.0 {
        is_shortened = true;
        text.0 = rest;
        if text.is_done() {
            return true;
        }
    }
    while groups < 8 {
        let group = text.0;
        if !is_group(text.eat_while(is_hex_digit)) {
            return false;
        }
        if text.peek() == Some(b'.') {
            // The last two groups are an IPv4 address.
            let has_place = if is_shortened {
                groups <= 6
            } else {
                groups == 6
            };
            if !has_place || !is_v4(group) {
                return false;
            }
            groups += 2;
            text.0 = &[];
            break;
        }
        groups += 1;
        if text.is_done() {
            break;
        }
        if !text.eat(b':') {
            return false;
        }
        match text.peek() {
            None => return false,
            Some(b':') if is_shortened => return false,
            Some(b':') => {
                is_shortened = true;
                text.eat(b':');
                if text.is_done() {
                    break;
                }
            }
            Some(_) => {}
        }
    }
    // The shortening `::` replaces at least one group.
    text.is_done() && (groups < 8) == is_shortened
}

/// Returns true for a number of 16 bits.
fn is_group(digits: &[u8]) -> bool {
    let uncounted = digits.iter().take_while(|digit| **digit == b'0').count();
    !digits.is_empty() && digits.len() - uncounted <= 4
}
