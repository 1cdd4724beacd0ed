//! The formats `isbn`, `creditcard` and `ssn`. The first two have a check digit.

use k8s_go_text::scan::{Scanner, is_digit, is_whitespace};

pub(super) fn is_isbn(string: &str) -> bool {
    is_isbn10(string) || is_isbn13(string)
}

/// Returns true for nine digits and a valid check digit, which may be `X`. Spaces and dashes are
/// ignored.
pub(super) fn is_isbn10(string: &str) -> bool {
    let mut count = 0;
    let mut sum = 0;
    for byte in isbn_bytes(string) {
        count += 1;
        sum += count
            * match byte {
                b'0'..=b'9' => u32::from(byte - b'0'),
                b'X' if count == 10 => 10,
                _ => return false,
            };
        if count > 10 {
            return false;
        }
    }
    count == 10 && sum.is_multiple_of(11)
}

/// Returns true for thirteen digits with a valid check digit. Spaces and dashes are ignored.
pub(super) fn is_isbn13(string: &str) -> bool {
    let mut count: u32 = 0;
    let mut sum = 0;
    for byte in isbn_bytes(string) {
        let weight = if count.is_multiple_of(2) { 1 } else { 3 };
        count += 1;
        if count > 13 || !is_digit(byte) {
            return false;
        }
        sum += weight * u32::from(byte - b'0');
    }
    count == 13 && sum.is_multiple_of(10)
}

fn isbn_bytes(string: &str) -> impl Iterator<Item = u8> {
    string
        .bytes()
        .filter(|byte| *byte != b'-' && !is_whitespace(*byte))
}

/// Returns true for a card number of a known brand with a valid check digit. All other characters
/// are ignored.
pub(super) fn is_credit_card(string: &str) -> bool {
    let mut digits = [0; 16];
    let mut count = 0;
    for digit in string.bytes().filter(|byte| is_digit(*byte)) {
        let Some(slot) = digits.get_mut(count) else {
            return false;
        };
        *slot = digit - b'0';
        count += 1;
    }
    let (digits, _) = digits.split_at(count);
    is_brand(digits) && luhn(digits).is_multiple_of(10)
}

/// Returns true if a brand issues cards with these first digits and this length.
const fn is_brand(digits: &[u8]) -> bool {
    match digits.len() {
        13 => matches!(digits, [4, ..]),
        14 => matches!(digits, [3, 0, 0..=5, ..] | [3, 6 | 8, ..]),
        15 => matches!(digits, [3, 4 | 7, ..] | [2, 1, 3, 1, ..] | [1, 8, 0, 0, ..]),
        16 => matches!(
            digits,
            [4, ..] | [5, 1..=5, ..] | [6, 0, 1, 1, ..] | [3 | 6, 5, ..]
        ),
        _ => false,
    }
}

/// Returns the Luhn sum: every second digit from the right is doubled, and doubled values above 9
/// lose 9.
fn luhn(digits: &[u8]) -> u32 {
    let positions = digits.iter().rev().enumerate();
    positions
        .map(|(position, digit)| {
            let digit = u32::from(*digit);
            match (position % 2, digit * 2) {
                (0, _) => digit,
                (_, doubled @ 0..10) => doubled,
                (_, doubled) => doubled - 9,
            }
        })
        .sum()
}

/// Returns true for a number such as `123-45-6789`, with dashes or spaces as separators.
pub(super) fn is_ssn(string: &str) -> bool {
    let mut scanner = Scanner(string.as_bytes());
    let is_separator = |byte: u8| matches!(byte, b'-' | b' ');
    scanner.eat_exactly(3, is_digit)
        && scanner.eat_exactly(1, is_separator)
        && scanner.eat_exactly(2, is_digit)
        && scanner.eat_exactly(1, is_separator)
        && scanner.eat_exactly(4, is_digit)
        && scanner.is_done()
}
