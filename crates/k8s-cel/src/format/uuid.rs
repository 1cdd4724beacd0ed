//! The formats `uuid`, `uuid3`, `uuid4` and `uuid5`, the last three with a required version. Each
//! dash is optional.

use k8s_go_text::scan::{Scanner, is_hex_digit};

pub(super) fn is_uuid(string: &str) -> bool {
    is_of_version(string, None, |_| true)
}

pub(super) fn is_uuid3(string: &str) -> bool {
    is_of_version(string, Some(b'3'), |_| true)
}

pub(super) fn is_uuid4(string: &str) -> bool {
    is_of_version(string, Some(b'4'), is_rfc_4122_variant)
}

pub(super) fn is_uuid5(string: &str) -> bool {
    is_of_version(string, Some(b'5'), is_rfc_4122_variant)
}

/// Returns true for the digit of the variant of RFC 4122.
const fn is_rfc_4122_variant(digit: u8) -> bool {
    matches!(digit, b'8' | b'9' | b'a' | b'b' | b'A' | b'B')
}

/// Returns true for a UUID with the version digit, if any, and with an accepted variant digit.
fn is_of_version(string: &str, version: Option<u8>, accepts_variant: fn(u8) -> bool) -> bool {
    let mut scanner = Scanner(string.as_bytes());
    let is_version_digit =
        |digit: u8| is_hex_digit(digit) && version.is_none_or(|version| digit == version);
    let is_variant_digit = |digit: u8| is_hex_digit(digit) && accepts_variant(digit);
    scanner.eat_exactly(8, is_hex_digit)
        && eat_dash(&mut scanner)
        && scanner.eat_exactly(4, is_hex_digit)
        && eat_dash(&mut scanner)
        && scanner.eat_if(is_version_digit).is_some()
        && scanner.eat_exactly(3, is_hex_digit)
        && eat_dash(&mut scanner)
        && scanner.eat_if(is_variant_digit).is_some()
        && scanner.eat_exactly(3, is_hex_digit)
        && eat_dash(&mut scanner)
        && scanner.eat_exactly(12, is_hex_digit)
        && scanner.is_done()
}

/// Consumes a dash, if there is one. Always returns true, so that calls can be chained.
fn eat_dash(scanner: &mut Scanner<'_>) -> bool {
    scanner.eat(b'-');
    true
}
