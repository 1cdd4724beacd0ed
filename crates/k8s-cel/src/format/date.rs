//! The formats `date` and `date-time`.

use k8s_go_text::scan::{Scanner, is_digit};
use k8s_go_text::time::{Layout, TimeOfDay, parse_hours_and_minutes, parse_time};

/// Returns true for a day of the calendar, such as `2020-02-29`.
pub(super) fn is_date(text: &str) -> bool {
    parse_time(text, Layout::Date).is_ok()
}

/// Returns true for a date, `t`, and a time with its zone, in either case. Characters after a
/// further `t` are not checked, and the fraction may begin with any character.
pub(super) fn is_date_time(text: &str) -> bool {
    let is_t = |c: char| matches!(c, 't' | 'T');
    let Some((day, rest)) = text.split_once(is_t) else {
        return false;
    };
    let time = rest.split_once(is_t).map_or(rest, |(time, _)| time);
    is_date(day) && is_time(time.as_bytes())
}

fn is_time(text: &[u8]) -> bool {
    let mut text = Scanner(text);
    TimeOfDay::parse(&mut text, 2).is_ok() && before_zone(text.0).is_some_and(is_fraction)
}

/// Returns the time before the zone. The digits of an offset may have any values.
fn before_zone(text: &[u8]) -> Option<&[u8]> {
    if let [before @ .., b'z' | b'Z'] = text {
        return Some(before);
    }
    let (before, [b'+' | b'-', offset @ ..]) = text.split_last_chunk::<6>()? else {
        return None;
    };
    let is_offset = matches!(parse_hours_and_minutes(offset)?, (Some(_), Some(_)));
    is_offset.then_some(before)
}

/// Returns true for the empty string, or a character and digits.
fn is_fraction(text: &[u8]) -> bool {
    let Some(&first) = text.first() else {
        return true;
    };
    let width = match first {
        b'\n' => return false,
        0..0x80 => 1,
        0x80..0xe0 => 2,
        0xe0..0xf0 => 3,
        0xf0.. => 4,
    };
    let mut digits = Scanner(text.get(width..).unwrap_or_default());
    !digits.eat_while(is_digit).is_empty() && digits.is_done()
}
