//! The types of scalars, as go-yaml resolves YAML 1.1, and their conversion to JSON.

use std::borrow::Cow;

use k8s_go_text::base64::{self, Alphabet};
use k8s_go_text::float;
use k8s_go_text::number::{JsonNumber, to_stored_integer};
use serde_json::{Number, Value};

use super::scalar::{Scalar, Style};
use super::tag::Tag;
use super::timestamp::is_timestamp;

/// The strings that go-yaml resolves to booleans.
const BOOLEANS: [(bool, &[&str]); 2] = [
    (
        true,
        &[
            "y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON",
        ],
    ),
    (
        false,
        &[
            "n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF",
        ],
    ),
];

/// The strings that go-yaml resolves to null.
const NULLS: [&str; 5] = ["", "~", "null", "Null", "NULL"];

/// The floats that are not finite, with their notations.
const NOT_FINITE: [(f64, &[&str]); 3] = [
    (f64::NAN, &[".nan", ".NaN", ".NAN"]),
    (
        f64::INFINITY,
        &[".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"],
    ),
    (f64::NEG_INFINITY, &["-.inf", "-.Inf", "-.INF"]),
];

/// A scalar with its type in Go.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ResolvedScalar<'t> {
    Null,
    Bool(bool),
    Int(i64),
    /// An integer above `i64::MAX`.
    Uint(u64),
    Float(f64),
    String(Cow<'t, str>),
    /// A number of a JSON source, which remains a float even if it has no fraction.
    JsonFloat(f64),
}

/// Returns the type and the value of a scalar, or an error message.
pub(crate) fn resolve(scalar: &Scalar) -> Result<ResolvedScalar<'_>, String> {
    let text = scalar.text.as_str();
    let as_string = || ResolvedScalar::String(text.into());
    if scalar.style == Style::JsonNumber {
        return parse_json_number(text);
    }
    let resolved = match scalar.tag {
        Tag::Absent if scalar.style == Style::Quoted => return Ok(as_string()),
        Tag::Absent => return Ok(resolve_untagged(text)),
        // `<<` itself is a string; `value::build` merges its value into the map.
        Tag::NonSpecific | Tag::Merge | Tag::Other => return Ok(as_string()),
        Tag::Binary => return decode_binary(text),
        Tag::Timestamp => is_timestamp(text).then(as_string),
        Tag::Bool => Some(resolve_untagged(text))
            .filter(|resolved| matches!(resolved, ResolvedScalar::Bool(_))),
        Tag::Null => {
            Some(resolve_untagged(text)).filter(|resolved| *resolved == ResolvedScalar::Null)
        }
        Tag::Int => {
            let is_int = |resolved: &ResolvedScalar<'_>| {
                matches!(resolved, ResolvedScalar::Int(_) | ResolvedScalar::Uint(_))
            };
            Some(resolve_untagged(text)).filter(is_int)
        }
        Tag::Float => match resolve_untagged(text) {
            // go-yaml converts only 64-bit signed integers to floats, not larger integers.
            ResolvedScalar::Int(int) => Some(ResolvedScalar::Float(int_to_float(int))),
            resolved @ ResolvedScalar::Float(_) => Some(resolved),
            _ => None,
        },
    };
    resolved.ok_or_else(|| {
        let name = scalar.tag.name();
        format!("{text:?} is not a !!{name}; remove the tag")
    })
}

/// Returns an integer as the nearest float.
#[expect(clippy::cast_precision_loss, reason = "Go converts it in the same way")]
const fn int_to_float(int: i64) -> f64 {
    int as f64
}

#[expect(clippy::cast_precision_loss, reason = "Go converts it in the same way")]
const fn uint_to_float(int: u64) -> f64 {
    int as f64
}

/// Returns the type and the value of a plain scalar without a tag.
fn resolve_untagged(text: &str) -> ResolvedScalar<'_> {
    let contains_text = |list: &[&str]| list.contains(&text);
    if contains_text(&NULLS) {
        return ResolvedScalar::Null;
    }
    if let Some((value, _)) = BOOLEANS.iter().find(|(_, list)| contains_text(list)) {
        return ResolvedScalar::Bool(*value);
    }
    if let Some((value, _)) = NOT_FINITE.iter().find(|(_, list)| contains_text(list)) {
        return ResolvedScalar::Float(*value);
    }
    let number = match text.as_bytes().first() {
        // Unlike in other numbers, underscores must be between two digits here.
        Some(b'.') => float::parse(text).map(ResolvedScalar::Float),
        Some(b'0'..=b'9' | b'+' | b'-') => parse_number(&remove_underscores(text)),
        _ => None,
    };
    number.unwrap_or_else(|| ResolvedScalar::String(text.into()))
}

/// Returns true if go-yaml resolves a plain scalar to a string.
pub(crate) fn is_string_if_plain(text: &str) -> bool {
    matches!(resolve_untagged(text), ResolvedScalar::String(_)) && !is_timestamp(text)
}

/// Removes underscores from a number, as go-yaml does before it calls Go's parsers.
fn remove_underscores(text: &str) -> Cow<'_, str> {
    if text.contains('_') {
        text.replace('_', "").into()
    } else {
        text.into()
    }
}

/// Returns the exact decimal digits of a number that becomes a float in JSON, or `None` for another
/// scalar. The digits have an exponent if the source has an exponent.
pub(crate) fn exact_digits<'s>(
    scalar: &'s Scalar,
    resolved: &ResolvedScalar<'_>,
) -> Option<Cow<'s, str>> {
    match resolved {
        ResolvedScalar::Uint(int) => Some(int.to_string().into()),
        ResolvedScalar::Float(float) | ResolvedScalar::JsonFloat(float) if float.is_finite() => {
            let digits = remove_underscores(&scalar.text);
            // The tag `!!float` converts an integer to a float.
            let int = parse_integer(&digits).filter(|_| scalar.tag == Tag::Float);
            Some(match int {
                Some(ResolvedScalar::Int(int)) => int.to_string().into(),
                _ => digits,
            })
        }
        _ => None,
    }
}

/// Parses an integer or a float of YAML 1.1 without underscores.
fn parse_number(text: &str) -> Option<ResolvedScalar<'static>> {
    if let Some(int) = parse_integer(text) {
        return Some(int);
    }
    if is_decimal(text) {
        return float::parse(text).map(ResolvedScalar::Float);
    }
    // go-yaml parses the digits after `0b` separately, and there they may have a sign.
    let binary_digits = text
        .strip_prefix("0b")
        .filter(|rest| rest.starts_with(['+', '-']))?;
    i64::from_str_radix(binary_digits, 2)
        .ok()
        .map(ResolvedScalar::Int)
}

/// Parses an integer like Go's `ParseInt` and `ParseUint` with base 0.
fn parse_integer(text: &str) -> Option<ResolvedScalar<'static>> {
    let unsigned_text = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (prefix_length, radix) = match unsigned_text.as_bytes() {
        [b'0', b'b' | b'B', ..] => (2, 2),
        [b'0', b'o' | b'O', ..] => (2, 8),
        [b'0', b'x' | b'X', ..] => (2, 16),
        [b'0', _, ..] => (1, 8),
        _ => (0, 10),
    };
    let digits = unsigned_text.get(prefix_length..)?;
    // A number with a second sign is not an integer.
    if !digits.bytes().next()?.is_ascii_alphanumeric() {
        return None;
    }
    let magnitude = u64::from_str_radix(digits, radix).ok()?;
    let int = if text.starts_with('-') {
        0_i64.checked_sub_unsigned(magnitude)
    } else {
        i64::try_from(magnitude).ok()
    };
    match int {
        Some(int) => Some(ResolvedScalar::Int(int)),
        None if unsigned_text.len() == text.len() => Some(ResolvedScalar::Uint(magnitude)),
        None => None,
    }
}

/// Returns true for a YAML decimal number: digits, optionally with a point and an exponent.
fn is_decimal(text: &str) -> bool {
    let unsigned_text = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (mantissa, exponent) = match unsigned_text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (unsigned_text, None),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let are_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let is_exponent = |exponent: &str| {
        let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        !exponent.is_empty() && are_digits(exponent)
    };
    are_digits(whole)
        && are_digits(fraction)
        && !(whole.is_empty() && fraction.is_empty())
        && exponent.is_none_or(is_exponent)
}

/// Parses a JSON number as apimachinery does.
fn parse_json_number(text: &str) -> Result<ResolvedScalar<'static>, String> {
    if let Ok(int) = text.parse() {
        return Ok(ResolvedScalar::Int(int));
    }
    float::parse(text).map(ResolvedScalar::JsonFloat).ok_or_else(|| {
        "the number exceeds the range of a 64-bit float and is not a finite number; write a smaller number"
            .to_owned()
    })
}

/// Decodes the base64 of a `!!binary` scalar.
fn decode_binary(text: &str) -> Result<ResolvedScalar<'static>, String> {
    let bytes = base64::decode(text, Alphabet::Standard)
        .map_err(|_| "the value of !!binary is not base64; remove the tag".to_owned())?;
    // Go writes one U+FFFD for each byte that is not UTF-8.
    let mut decoded = String::new();
    for chunk in bytes.utf8_chunks() {
        decoded.push_str(chunk.valid());
        decoded.extend(chunk.invalid().iter().map(|_| '\u{fffd}'));
    }
    Ok(ResolvedScalar::String(decoded.into()))
}

impl Scalar {
    /// Returns the string of the scalar, without quotes and before its type is resolved.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Returns true for a JSON number. Other scalars of JSON have the same type as YAML.
    pub(crate) fn is_json(&self) -> bool {
        self.style == Style::JsonNumber
    }

    /// Returns the string of a YAML scalar without quotes and tag; `None` for other scalars.
    #[must_use]
    pub fn unquoted_text(&self) -> Option<&str> {
        let is_unquoted = self.style == Style::Plain && matches!(self.tag, Tag::Absent);
        is_unquoted.then_some(self.text.as_str())
    }

    /// Returns true if the value is null.
    #[must_use]
    pub fn is_null(&self) -> bool {
        matches!(resolve(self), Ok(ResolvedScalar::Null))
    }

    /// Returns the JSON key for this scalar, such as `true` for `on`. If the scalar cannot be a
    /// JSON key, its string is returned.
    #[must_use]
    pub fn key(&self) -> Cow<'_, str> {
        let resolved = resolve(self).ok();
        let key = resolved.and_then(|resolved| resolved.key().ok());
        key.unwrap_or_else(|| self.text.as_str().into())
    }

    /// Returns true for the key `<<`, whose value is merged into the map.
    #[must_use]
    pub fn is_merge(&self) -> bool {
        let may_be_merge = match self.tag {
            Tag::Absent => self.style == Style::Plain,
            tag => matches!(tag, Tag::NonSpecific | Tag::Merge),
        };
        may_be_merge && self.text == "<<"
    }
}

impl<'t> ResolvedScalar<'t> {
    /// Returns the JSON value, or an error message.
    pub(crate) fn value(self) -> Result<Value, String> {
        Ok(match self {
            Self::Null => Value::Null,
            Self::Bool(value) => value.into(),
            Self::Int(int) => int.into(),
            // An API server does not have integers above `i64::MAX`.
            Self::Uint(int) => Value::Number(to_finite_number(uint_to_float(int))?),
            // A YAML float without a fraction becomes a JSON integer.
            Self::Float(float) => Value::Number(match to_stored_integer(float) {
                Some(int) => int.into(),
                None => to_finite_number(float)?,
            }),
            Self::JsonFloat(float) => Value::Number(to_finite_number(float)?),
            Self::String(text) => text.into(),
        })
    }

    /// Returns the scalar as a JSON key, or an error message.
    pub(crate) fn key(self) -> Result<Cow<'t, str>, String> {
        match self {
            Self::Null => Err("null is not supported as a key; quote the key".to_owned()),
            Self::Uint(int) => Err(format!(
                "{int} exceeds the 64-bit integers that a key may be; quote the key"
            )),
            Self::Bool(value) => Ok(if value { "true" } else { "false" }.into()),
            Self::Int(int) => Ok(int.to_string().into()),
            Self::Float(float) | Self::JsonFloat(float) => Ok(float_key(float).into()),
            Self::String(text) => Ok(text),
        }
    }
}

fn to_finite_number(float: f64) -> Result<Number, String> {
    Number::from_f64(float).ok_or_else(|| {
        format!("{float} is not a finite number, which JSON requires; quote the string")
    })
}

/// Returns a float as a key: Go prints a 32-bit float with the format `g`.
fn float_key(float: f64) -> String {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "Go rounds a key to 32 bits"
    )]
    let float = float as f32;
    if float.is_nan() {
        return ".nan".to_owned();
    }
    if float.is_infinite() {
        return if float > 0.0 { ".inf" } else { "-.inf" }.to_owned();
    }
    // Parsing the shortest digits as 64 bits and printing them again does not change them.
    let float_of_digits = shortest_digits(float).parse();
    JsonNumber::Float(float_of_digits.unwrap_or(f64::from(float))).to_string()
}

/// Returns the shortest digits of a float. If two candidates are equally near, the last digit is
/// even, as in Go.
fn shortest_digits(float: f32) -> String {
    let shortest = format!("{float:e}");
    let digits = shortest.bytes().take_while(|byte| *byte != b'e');
    let digit_count = digits.filter(u8::is_ascii_digit).count();
    let rounded_to_even = format!("{float:.*e}", digit_count.saturating_sub(1));
    let is_same_float = rounded_to_even.parse() == Ok(float);
    if is_same_float {
        rounded_to_even
    } else {
        shortest
    }
}
