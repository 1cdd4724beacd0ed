//! The formats `hexcolor` and `rgbcolor`.

use k8s_go_text::scan::{Scanner, is_digit, is_hex_digit, is_whitespace};

/// Returns true for three or six hex digits, with or without a leading `#`.
pub(super) fn is_hex_color(string: &str) -> bool {
    let digits = string.strip_prefix('#').unwrap_or(string);
    matches!(digits.len(), 3 | 6) && digits.bytes().all(is_hex_digit)
}

/// Returns true for a color such as `rgb(1,2,3)`. Spaces around the numbers are allowed.
pub(super) fn is_rgb_color(string: &str) -> bool {
    let Some(numbers) = string.strip_prefix("rgb(") else {
        return false;
    };
    let mut numbers = Scanner(numbers.as_bytes());
    [b',', b',', b')'].into_iter().all(|end| {
        numbers.eat_while(is_whitespace);
        let is_component = eat_component(&mut numbers);
        numbers.eat_while(is_whitespace);
        is_component && numbers.eat(end)
    }) && numbers.is_done()
}

/// Consumes a number from 0 to 255 without leading zeros, and returns true if there is one.
fn eat_component(scanner: &mut Scanner<'_>) -> bool {
    match scanner.eat_while(is_digit) {
        [_] => true,
        [b'0', ..] => false,
        [_, _] | [b'1', _, _] | [b'2', b'0'..=b'4', _] | [b'2', b'5', b'0'..=b'5'] => true,
        _ => false,
    }
}
