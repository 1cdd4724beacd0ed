//! The formats `ipv4`, `ipv6` and `cidr`. Leading zeros are allowed in `ipv4` and `cidr`, because a
//! server parses these formats like Go before 1.17.

use k8s_go_text::net::ip::{self, Addr};
use k8s_go_text::scan::{self, Scanner, is_digit, is_hex_digit};

/// Returns true for an address that contains a dot, which includes `::ffff:1.2.3.4`.
pub(super) fn is_ipv4(string: &str) -> bool {
    let bytes = string.as_bytes();
    let is_address = match bytes.iter().find(|byte| matches!(byte, b'.' | b':')) {
        Some(b'.') => is_v4(bytes),
        Some(_) => is_v6(bytes),
        None => false,
    };
    is_address && bytes.contains(&b'.')
}

pub(super) fn is_ipv6(string: &str) -> bool {
    let is_v6_without_zone = |parsed: Addr| parsed.address.is_ipv6() && !parsed.has_zone;
    ip::parse_addr(string.as_bytes()).is_ok_and(is_v6_without_zone)
}

/// Returns true for an IPv4 or IPv6 address without a zone, as in `[::1]`.
pub(super) fn is_ip(bytes: &[u8]) -> bool {
    ip::parse_addr(bytes).is_ok_and(|parsed| !parsed.has_zone)
}

/// Returns true for an address and a prefix length. Bits after the prefix may be set.
pub(super) fn is_cidr(string: &str) -> bool {
    let Some((address, length)) = string.split_once('/') else {
        return false;
    };
    let address = address.as_bytes();
    let max = if is_v4(address) {
        32
    } else if is_v6(address) {
        128
    } else {
        return false;
    };
    let mut length = Scanner(length.as_bytes());
    eat_decimal(&mut length, max) && length.is_done()
}

/// Returns true for an IPv4 address, which may have leading zeros.
fn is_v4(bytes: &[u8]) -> bool {
    let mut scanner = Scanner(bytes);
    (0..4).all(|part| (part == 0 || scanner.eat(b'.')) && eat_decimal(&mut scanner, 255))
        && scanner.is_done()
}

/// Consumes a decimal number up to `max`, and returns true if there is one. Leading zeros are
/// allowed.
fn eat_decimal(scanner: &mut Scanner<'_>, max: u64) -> bool {
    let digits = scanner.eat_while(is_digit);
    !digits.is_empty() && scan::parse_decimal(digits).is_some_and(|number| number <= max)
}

/// Returns true for an IPv6 address, which may end with an IPv4 address with leading zeros.
fn is_v6(bytes: &[u8]) -> bool {
    let mut scanner = Scanner(bytes);
    let mut groups = 0;
    let mut is_abbreviated = false;
    if let [b':', b':', rest @ ..] = scanner.0 {
        is_abbreviated = true;
        scanner.0 = rest;
        if scanner.is_done() {
            return true;
        }
    }
    while groups < 8 {
        let rest_from_group = scanner.0;
        if !is_hex_group(scanner.eat_while(is_hex_digit)) {
            return false;
        }
        if scanner.peek() == Some(b'.') {
            // An IPv4 address may replace the last two groups.
            let has_room = if is_abbreviated {
                groups <= 6
            } else {
                groups == 6
            };
            if !has_room || !is_v4(rest_from_group) {
                return false;
            }
            groups += 2;
            scanner.0 = &[];
            break;
        }
        groups += 1;
        if scanner.is_done() {
            break;
        }
        if !scanner.eat(b':') {
            return false;
        }
        match scanner.peek() {
            None => return false,
            Some(b':') if is_abbreviated => return false,
            Some(b':') => {
                is_abbreviated = true;
                scanner.eat(b':');
                if scanner.is_done() {
                    break;
                }
            }
            Some(_) => {}
        }
    }
    // The abbreviation `::` replaces at least one group.
    scanner.is_done() && (groups < 8) == is_abbreviated
}

/// Returns true for a hex number of at most 16 bits.
fn is_hex_group(digits: &[u8]) -> bool {
    let leading_zeros = digits.iter().take_while(|digit| **digit == b'0').count();
    !digits.is_empty() && digits.len() - leading_zeros <= 4
}
