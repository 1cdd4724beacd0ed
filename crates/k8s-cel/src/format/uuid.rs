//! The formats `uuid`, `uuid3`, `uuid4` and `uuid5`. The last three require a version. Each dash is
//! optional.

use k8s_go_text::scan::{Scanner, is_hex_digit};

pub(super) fn is_uuid(text: &str) -> bool {
    is_of_version(text, None, |_| true)
}

pub(super) fn is_uuid3(text: &str) -> bool {
    is_of_version(text, Some(b'3'), |_| true)
}

pub(super) fn is_uuid4(text: &str) -> bool {
    is_of_version(text, Some(b'4'), is_variant)
}

pub(super) fn is_uuid5(text: &str) -> bool {
    is_of_version(text, Some(b'5'), is_variant)
}

const fn is_variant(digit: u8) -> bool {
    matches!(digit, b'8' | b'9' | b'a' | b'b' | b'A' | b'B')
}

fn is_of_version(text: &str, version: Option<u8>, is_variant: fn(u8) -> bool) -> bool {
    let mut text = Scanner(text.as_bytes());
    let is_version =
        |digit: u8| is_hex_digit(digit) && version.is_none_or(|version| digit == version);
    let is_variant = |digit: u8| is_hex_digit(digit) && is_variant(digit);
    text.eat_exactly(8, is_hex_digit)
        && dash(&mut text)
        && text.eat_exactly(4, is_hex_digit)
        && dash(&mut text)
        && text.eat_if(is_version).is_some()
        && text.eat_exactly(3, is_hex_digit)
        && dash(&mut text)
        && text.eat_if(is_variant).is_some()
        && text.eat_exactly(3, is_hex_digit)
        && dash(&mut text)
        && text.eat_exactly(12, is_hex_digit)
        && text.is_done()
}

fn dash(text: &mut Scanner<'_>) -> bool {
    text.eat(b'-');
    true
}
