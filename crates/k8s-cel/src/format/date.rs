//! `date` and `date-time`.

use super::scan::{Scan, is_digit};

/// A day of the calendar, as `2020-02-29`.
pub(super) fn is_date(text: &str) -> bool {
    is_day(text.as_bytes())
}

/// A date, `t`, and a time with its zone, in either case. What stands after a further `t` is not looked at, and the
/// fraction may begin with any character.
pub(super) fn is_date_time(text: &str) -> bool {
    let is_t = |byte: u8| matches!(byte, b't' | b'T');
    let Some((day, rest)) = cut(text.as_bytes(), is_t) else {
        return false;
    };
    let time = cut(rest, is_t).map_or(rest, |(time, _)| time);
    is_day(day) && is_time(time)
}

fn is_day(text: &[u8]) -> bool {
    let [y1, y2, y3, y4, b'-', m1, m2, b'-', d1, d2] = *text else {
        return false;
    };
    let (Some(year), Some(month), Some(day)) = (
        number(&[y1, y2, y3, y4]),
        number(&[m1, m2]),
        number(&[d1, d2]),
    ) else {
        return false;
    };
    (1..=days(year, month)).contains(&day)
}

/// How many days a month has; none if there is no such month.
#[must_use]
pub const fn days(year: u32, month: u32) -> u32 {
    match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => {
            29
        }
        2 => 28,
        _ => 0,
    }
}

fn is_time(text: &[u8]) -> bool {
    let [h1, h2, b':', m1, m2, b':', s1, s2, rest @ ..] = text else {
        return false;
    };
    let up_to = |most: u32, digits: [u8; 2]| number(&digits).is_some_and(|number| number <= most);
    up_to(23, [*h1, *h2])
        && up_to(59, [*m1, *m2])
        && up_to(59, [*s1, *s2])
        && before_zone(rest).is_some_and(is_fraction)
}

/// What stands before the zone. The digits of an offset may say anything.
fn before_zone(text: &[u8]) -> Option<&[u8]> {
    if let [before @ .., b'z' | b'Z'] = text {
        return Some(before);
    }
    let [before @ .., b'+' | b'-', h1, h2, b':', m1, m2] = text else {
        return None;
    };
    number(&[*h1, *h2, *m1, *m2])?;
    Some(before)
}

/// Nothing, or a character and digits.
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
    let mut digits = Scan(text.get(width..).unwrap_or_default());
    !digits.take_while(is_digit).is_empty() && digits.is_done()
}

/// The parts before and after the first byte that is such.
fn cut(text: &[u8], is_it: impl Fn(u8) -> bool) -> Option<(&[u8], &[u8])> {
    let at = text.iter().position(|byte| is_it(*byte))?;
    let (before, [_, after @ ..]) = text.split_at(at) else {
        return None;
    };
    Some((before, after))
}

/// Some digits, as a number.
fn number(digits: &[u8]) -> Option<u32> {
    digits.iter().try_fold(0, |number, digit| {
        is_digit(*digit).then(|| number * 10 + u32::from(digit - b'0'))
    })
}
