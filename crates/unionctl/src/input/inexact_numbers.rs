//! Numbers that change when an API server reads them.
//!
//! An API server keeps integers of 64 bits with a sign, and reads every other number as the nearest
//! float: 9223372036854775808 becomes 9223372036854776000, and digits after the seventeenth are
//! lost. Such a number is not an error, but there is a note on it. Another spelling of the same
//! number, such as `1.0` for `1`, has no note.

use std::borrow::Cow;
use std::collections::HashSet;

use k8s_json_internals::number::{JsonFloat, JsonNumber};

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

/// Returns JSON in which the integer `-0` is `0`, as an API server reads it: `serde_json` reads the
/// float -0.0. All positions stay.
pub(super) fn without_negative_zeros(text: &str) -> Cow<'_, str> {
    let mut found = Vec::new();
    let (mut is_string, mut is_escaped, mut last) = (false, false, b' ');
    for (i, byte) in text.bytes().enumerate() {
        if is_string {
            is_string = is_escaped || byte != b'"';
            is_escaped = !is_escaped && byte == b'\\';
        } else if byte == b'"' {
            is_string = true;
        } else if byte == b'-' && matches!(last, b'[' | b',' | b':' | b' ' | b'\t' | b'\r' | b'\n')
        {
            let mut rest = text.as_bytes().iter().skip(i + 1);
            let goes_on = |next: &u8| matches!(next, b'0'..=b'9' | b'.' | b'e' | b'E');
            if rest.next() == Some(&b'0') && !rest.next().is_some_and(goes_on) {
                found.push(i);
            }
        }
        last = byte;
    }
    if found.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut bytes = text.as_bytes().to_vec();
    for i in found {
        if let Some(sign) = bytes.get_mut(i) {
            *sign = b' ';
        }
    }
    String::from_utf8(bytes).map_or(Cow::Borrowed(text), Cow::Owned)
}

/// Returns the numbers of a source that an API server reads as other numbers. `values` were read
/// from the source.
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
        Value::Number(number) => {
            match JsonNumber::from_number(number) {
                JsonNumber::Float(float) => floats.push(float),
                // Files have 0 for a number that is too small for a float.
                JsonNumber::Int(0) => floats.push(0.0),
                JsonNumber::Int(_) => {}
            }
        }
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
    floats
        .binary_search_by(|float| float.total_cmp(&nearest))
        .ok()?;
    let kept = JsonFloat(nearest).to_string();
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
