//! The formats `date` and `date-time`.

use k8s_go_text::scan::{Scanner, is_digit};
use k8s_go_text::time::{Layout, TimeOfDay, parse_hours_and_minutes, parse_time};

/// Returns true for a date of the calendar, such as `2020-02-29`.
pub(super) fn is_date(string: &str) -> bool {
    parse_time(string, Layout::Date).is_ok()
}

/// Returns true for a date, `t`, and a time with its zone; the letters may be upper or lower case.
/// As on a server, the characters after a second `t` are not checked, and the fraction may begin
/// with any character.
pub(super) fn is_date_time(string: &str) -> bool {
    let is_t = |c: char| matches!(c, 't' | 'T');
    let Some((date, rest)) = string.split_once(is_t) else {
        return false;
    };
    let time = rest.split_once(is_t).map_or(rest, |(time, _)| time);
    is_date(date) && is_time(time.as_bytes())
}

fn is_time(bytes: &[u8]) -> bool {
    let mut scanner = Scanner(bytes);
    TimeOfDay::parse(&mut scanner, 2).is_ok() && before_zone(scanner.0).is_some_and(is_fraction)
}

/// Returns the bytes before the zone, or `None` without a zone. An offset may have any digits.
fn before_zone(bytes: &[u8]) -> Option<&[u8]> {
    if let [before @ .., b'z' | b'Z'] = bytes {
        return Some(before);
    }
    let (before, [b'+' | b'-', offset @ ..]) = bytes.split_last_chunk::<6>()? else {
        return None;
    };
    let is_offset = matches!(parse_hours_and_minutes(offset)?, (Some(_), Some(_)));
    is_offset.then_some(before)
}

/// Returns true for the empty string, and for one character (the separator) with digits after it.
fn is_fraction(bytes: &[u8]) -> bool {
    let Some(&first) = bytes.first() else {
        return true;
    };
    // The number of bytes of a UTF-8 character, by its first byte.
    let width = match first {
        b'\n' => return false,
        0..0x80 => 1,
        0x80..0xe0 => 2,
        0xe0..0xf0 => 3,
        0xf0.. => 4,
    };
    let mut digits = Scanner(bytes.get(width..).unwrap_or_default());
    !digits.eat_while(is_digit).is_empty() && digits.is_done()
}
