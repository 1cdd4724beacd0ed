//! `duration`: what Go's clock takes, or any text that names a number and a unit of time.

use super::scan::{Scan, is_digit, is_space};

pub(super) fn is_duration(text: &str) -> bool {
    is_exact(text.as_bytes()) || names_one(text.as_bytes())
}

/// The least duration of 64 bits, without its sign.
const LEAST: u64 = 1 << 63;

/// A sum of numbers with units, as `-1h30m` or `1.5s`, that 64 bits of nanoseconds can hold.
fn is_exact(text: &[u8]) -> bool {
    let mut text = Scan(text);
    let sign = text.take_if(|byte| matches!(byte, b'+' | b'-'));
    if text.0 == b"0" {
        return true;
    }
    let mut sum: u64 = 0;
    if text.is_done() {
        return false;
    }
    while !text.is_done() {
        let Some(nanoseconds) = term(&mut text) else {
            return false;
        };
        // The sum of two of the least ones is 0 for Go too.
        sum = sum.wrapping_add(nanoseconds);
        if sum > LEAST {
            return false;
        }
    }
    sign == Some(b'-') || sum < LEAST
}

/// A number with its unit, in nanoseconds.
fn term(text: &mut Scan<'_>) -> Option<u64> {
    let before = text.0;
    let whole = whole(text)?;
    let mut has_digits = text.0.len() < before.len();
    let mut fraction = Fraction::NONE;
    if text.take(b'.') {
        let before = text.0.len();
        fraction = Fraction::read(text);
        has_digits |= text.0.len() < before;
    }
    if !has_digits {
        return None;
    }
    let unit: u64 = match text.take_while(|byte| byte != b'.' && !is_digit(byte)) {
        b"ns" => 1,
        // Both letters that look like a Greek my.
        b"us" | b"\xc2\xb5s" | b"\xce\xbcs" => 1_000,
        b"ms" => 1_000_000,
        b"s" => 1_000_000_000,
        b"m" => 60_000_000_000,
        b"h" => 3_600_000_000_000,
        _ => return None,
    };
    if whole > LEAST / unit {
        return None;
    }
    let sum = whole * unit + fraction.of(unit);
    (sum <= LEAST).then_some(sum)
}

/// Digits, which may be none; not more than 63 bits can hold.
fn whole(text: &mut Scan<'_>) -> Option<u64> {
    let mut number: u64 = 0;
    while let Some(digit) = text.take_if(is_digit) {
        if number > LEAST / 10 {
            return None;
        }
        number = number * 10 + u64::from(digit - b'0');
        if number > LEAST {
            return None;
        }
    }
    Some(number)
}

/// The digits after a point: a number, and what divides it.
struct Fraction {
    number: u64,
    scale: f64,
}

impl Fraction {
    const NONE: Self = Self {
        number: 0,
        scale: 1.0,
    };

    /// Digits beyond what 63 bits can hold are passed over.
    fn read(text: &mut Scan<'_>) -> Self {
        let mut fraction = Self::NONE;
        let mut is_full = false;
        while let Some(digit) = text.take_if(is_digit) {
            if is_full || fraction.number > (LEAST - 1) / 10 {
                is_full = true;
                continue;
            }
            let number = fraction.number * 10 + u64::from(digit - b'0');
            if number > LEAST {
                is_full = true;
                continue;
            }
            fraction.number = number;
            fraction.scale *= 10.0;
        }
        fraction
    }

    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "Go rounds in the same way, and the result is less than the unit"
    )]
    fn of(&self, unit: u64) -> u64 {
        (self.number as f64 * (unit as f64 / self.scale)) as u64
    }
}

/// Whether a number with the name of a unit stands anywhere, and no number before a word is too large for 64 bits.
fn names_one(text: &[u8]) -> bool {
    let mut text = Scan(text);
    let mut found = false;
    while !text.is_done() {
        text.take_while(|byte| !is_digit(byte));
        let digits = text.take_while(is_digit);
        text.take_while(is_space);
        let Some(word) = word(&mut text) else {
            continue;
        };
        if !fits(digits) {
            return false;
        }
        found |= is_unit(word);
    }
    found
}

/// Letters of English, and the sign for millionths.
fn word<'t>(text: &mut Scan<'t>) -> Option<&'t [u8]> {
    let start = text.0;
    loop {
        text.take_while(|byte| byte.is_ascii_alphabetic());
        match text.0 {
            [0xc2, 0xb5, rest @ ..] => text.0 = rest,
            rest => {
                let (word, _) = start.split_at(start.len() - rest.len());
                return (!word.is_empty()).then_some(word);
            }
        }
    }
}

fn fits(digits: &[u8]) -> bool {
    let number = digits.iter().try_fold(0_i64, |number, digit| {
        number.checked_mul(10)?.checked_add(i64::from(digit - b'0'))
    });
    number.is_some()
}

fn is_unit(word: &[u8]) -> bool {
    const WORDS: [&[u8]; 11] = [
        b"ns",
        b"us",
        b"\xc2\xb5s",
        b"ms",
        b"s",
        b"m",
        b"h",
        b"hr",
        b"d",
        b"w",
        b"wk",
    ];
    const BEGINNINGS: [&[u8]; 8] = [
        b"nano", b"micro", b"milli", b"sec", b"min", b"hour", b"day", b"week",
    ];
    let starts_with = |beginning: &&[u8]| {
        word.get(..beginning.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(beginning))
    };
    WORDS.iter().any(|unit| word.eq_ignore_ascii_case(unit)) || BEGINNINGS.iter().any(starts_with)
}
