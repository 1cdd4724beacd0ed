//! Numbers that change when they are read.
//!
//! `serde_json` keeps integers of 64 bits, signed or not, and reads every other number as an `f64`:
//! 18446744073709551616 is read as 1.8446744073709552e19, and digits after the seventeenth are
//! lost. API servers read JSON in the same way (their integers are signed), so such a number is not
//! an error, but there is a note on it.

use std::collections::HashSet;

use serde_json::Value;

/// The greatest number of notes.
const MAX_NOTES: usize = 5;

/// The greatest length of a number in a note.
const MAX_SHOWN_DIGITS: usize = 40;

/// A note on a number that was changed.
#[derive(Debug)]
pub(crate) struct InexactNumber {
    pub(crate) line: usize,
    pub(crate) message: String,
}

/// Returns the numbers of a source that differ from the values that were read from it.
pub(crate) fn inexact_numbers(text: &str, values: &[Value]) -> Vec<InexactNumber> {
    let mut floats = Vec::new();
    for value in values {
        add_floats(value, &mut floats);
    }
    if floats.is_empty() {
        return Vec::new();
    }
    floats.sort_by(f64::total_cmp);
    let mut changed = Vec::new();
    let mut seen = HashSet::new();
    for (i, line) in text.lines().enumerate() {
        for written in line.split(|c: char| !is_number_char(c)) {
            let Some(kept) = inexact_value(written, &floats).filter(|_| seen.insert(written))
            else {
                continue;
            };
            let start = written.get(..MAX_SHOWN_DIGITS).unwrap_or(written);
            let dots = if start.len() < written.len() {
                "..."
            } else {
                ""
            };
            changed.push(InexactNumber {
                line: i + 1,
                message: format!(
                    "number {start}{dots} loses precision and becomes {kept}, as on an API server; \
                     use a string to keep every digit"
                ),
            });
        }
    }
    let more = changed.len().saturating_sub(MAX_NOTES);
    if more > 0 {
        changed.truncate(MAX_NOTES + 1);
        if let Some(last) = changed.last_mut() {
            last.message = format!("{more} more numbers lose precision, from this line on");
        }
    }
    changed
}

fn add_floats(value: &Value, floats: &mut Vec<f64>) {
    match value {
        Value::Number(number) if number.is_f64() => floats.extend(number.as_f64()),
        Value::Array(values) => values.iter().for_each(|value| add_floats(value, floats)),
        Value::Object(values) => values.values().for_each(|value| add_floats(value, floats)),
        _ => {}
    }
}

fn is_number_char(c: char) -> bool {
    // A quoted number is a string: with its quotes, it does not parse as a number.
    c.is_ascii_alphanumeric() || matches!(c, '.' | '+' | '-' | '_' | '"' | '\'')
}

/// Returns the value that a number is kept as, if that is one of the floats and differs from the
/// number.
fn inexact_value(written: &str, floats: &[f64]) -> Option<String> {
    if !written.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '.' | '+' | '-')) {
        return None;
    }
    let written = written.replace('_', "");
    if written.parse::<i64>().is_ok() {
        return None;
    }
    let exact = Decimal::of(&written)?;
    let nearest: f64 = written
        .parse()
        .ok()
        .filter(|float: &f64| float.is_finite())?;
    // `serde_json` reads some floats slightly off the nearest float.
    let slack = nearest.abs() * f64::EPSILON * 4.0;
    let at = floats.partition_point(|float| *float < nearest - slack);
    let float = floats.get(at).filter(|float| **float <= nearest + slack)?;
    let kept = Value::from(*float).to_string();
    (Decimal::of(&kept)? != exact).then_some(kept)
}

/// A decimal number in its normal form: 0.digits times ten to the power.
#[derive(PartialEq, Eq)]
struct Decimal {
    is_negative: bool,
    digits: String,
    power: i64,
}

impl Decimal {
    fn of(text: &str) -> Option<Self> {
        let (is_negative, text) = match text.strip_prefix('-') {
            Some(text) => (true, text),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        let (mantissa, power) = match text.split_once(['e', 'E']) {
            Some((mantissa, power)) => (mantissa, power.parse().ok()?),
            None => (text, 0_i64),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits = format!("{whole}{fraction}");
        if digits.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
            return None;
        }
        let significant = digits.trim_start_matches('0');
        let zeros = digits.len() - significant.len();
        let digits = significant.trim_end_matches('0').to_owned();
        if digits.is_empty() {
            return Some(Self {
                is_negative: false,
                digits,
                power: 0,
            });
        }
        let shift = i64::try_from(whole.len()).ok()? - i64::try_from(zeros).ok()?;
        Some(Self {
            is_negative,
            digits,
            power: power.checked_add(shift)?,
        })
    }
}
