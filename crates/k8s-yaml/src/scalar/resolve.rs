//! The types of scalars: go-yaml's reading of YAML 1.1, and then the JSON that it becomes.

use k8s_go_text::base64::{self, Alphabet};
use serde_json::{Number, Value};

use super::scalar::{Scalar, Style};
use super::timestamp::is_timestamp;

const TAGS: &[u8] = b"tag:yaml.org,2002:";

/// The tag of `<<`.
const MERGE: &[u8] = b"tag:yaml.org,2002:merge";

/// The strings that are booleans.
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

/// The strings that are null.
const NULLS: [&str; 5] = ["", "~", "null", "Null", "NULL"];

/// The floats that are not finite.
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
pub(crate) enum ResolvedScalar {
    Null,
    Bool(bool),
    Int(i64),
    /// An integer above those of [`ResolvedScalar::Int`].
    Uint(u64),
    Float(f64),
    String(String),
    /// A float in JSON text, which stays one.
    JsonFloat(f64),
}

/// Returns the type and the value of a scalar, or a message.
pub(crate) fn resolve(scalar: &Scalar) -> Result<ResolvedScalar, String> {
    let text = scalar.text.as_str();
    match scalar.style {
        Style::JsonNumber => return json_number(text),
        Style::Quoted if scalar.tag.is_empty() => {
            return Ok(ResolvedScalar::String(text.to_owned()));
        }
        _ => {}
    }
    let Some(name) = scalar.tag.strip_prefix(TAGS) else {
        return Ok(if scalar.tag.is_empty() {
            untagged(text)
        } else {
            ResolvedScalar::String(text.to_owned())
        });
    };
    let found = match name {
        b"binary" => return binary(text),
        b"timestamp" if is_timestamp(text) => Some(ResolvedScalar::String(text.to_owned())),
        b"timestamp" => None,
        b"bool" => Some(untagged(text)).filter(|found| matches!(found, ResolvedScalar::Bool(_))),
        b"null" => Some(untagged(text)).filter(|found| *found == ResolvedScalar::Null),
        b"int" => {
            let is_int = |found: &ResolvedScalar| {
                matches!(found, ResolvedScalar::Int(_) | ResolvedScalar::Uint(_))
            };
            Some(untagged(text)).filter(is_int)
        }
        b"float" => match untagged(text) {
            // Go converts only these, and not the integers above them.
            ResolvedScalar::Int(int) => Some(ResolvedScalar::Float(as_float(int))),
            found @ ResolvedScalar::Float(_) => Some(found),
            _ => None,
        },
        // `!!str`, and tags that go-yaml does not know.
        _ => Some(ResolvedScalar::String(text.to_owned())),
    };
    found.ok_or_else(|| {
        let name = String::from_utf8_lossy(name);
        format!("{text:?} is not a !!{name}; remove the tag")
    })
}

/// Returns an integer as the nearest float.
#[expect(clippy::cast_precision_loss, reason = "Go converts it in the same way")]
const fn as_float(int: i64) -> f64 {
    int as f64
}

#[expect(clippy::cast_precision_loss, reason = "Go converts it in the same way")]
const fn unsigned_as_float(int: u64) -> f64 {
    int as f64
}

fn untagged(text: &str) -> ResolvedScalar {
    let known = |list: &[&str]| list.contains(&text);
    if known(&NULLS) {
        return ResolvedScalar::Null;
    }
    if let Some((value, _)) = BOOLEANS.iter().find(|(_, list)| known(list)) {
        return ResolvedScalar::Bool(*value);
    }
    if let Some((value, _)) = NOT_FINITE.iter().find(|(_, list)| known(list)) {
        return ResolvedScalar::Float(*value);
    }
    let number = match text.as_bytes().first() {
        Some(b'.') => pointed_float(text),
        Some(b'0'..=b'9' | b'+' | b'-') => number(&text.replace('_', "")),
        _ => None,
    };
    number.unwrap_or_else(|| ResolvedScalar::String(text.to_owned()))
}

fn number(text: &str) -> Option<ResolvedScalar> {
    if let Some(int) = integer(text) {
        return Some(int);
    }
    if let Some(float) = float(text) {
        return Some(float);
    }
    // Go reads the digits after `0b` once more, now with a sign.
    let binary = text
        .strip_prefix("0b")
        .filter(|rest| rest.starts_with(['+', '-']))?;
    i64::from_str_radix(binary, 2).ok().map(ResolvedScalar::Int)
}

/// Reads an integer as Go's `ParseInt` and `ParseUint` with base 0.
fn integer(text: &str) -> Option<ResolvedScalar> {
    let (sign, rest) = match text.as_bytes() {
        [b'-', ..] => ("-", text.get(1..)?),
        [b'+', ..] => ("+", text.get(1..)?),
        _ => ("", text),
    };
    let prefix = rest.get(..2).unwrap_or_default().to_ascii_lowercase();
    let (digits, radix) = match prefix.as_str() {
        "0b" => (rest.get(2..)?, 2),
        "0o" => (rest.get(2..)?, 8),
        "0x" => (rest.get(2..)?, 16),
        _ if rest.starts_with('0') && rest.len() > 1 => (rest.get(1..)?, 8),
        _ => (rest, 10),
    };
    // A second sign is not an integer.
    if !digits.bytes().next()?.is_ascii_alphanumeric() {
        return None;
    }
    if let Ok(int) = i64::from_str_radix(&format!("{sign}{digits}"), radix) {
        return Some(ResolvedScalar::Int(int));
    }
    let unsigned = u64::from_str_radix(digits, radix).ok();
    unsigned
        .filter(|_| sign.is_empty())
        .map(ResolvedScalar::Uint)
}

/// Reads a float that begins with a point. Only here, underscores must be between two digits.
fn pointed_float(text: &str) -> Option<ResolvedScalar> {
    let are_between = text.split('_').collect::<Vec<_>>().windows(2).all(|parts| {
        let [before, after] = parts else { return false };
        before.ends_with(|c: char| c.is_ascii_digit())
            && after.starts_with(|c: char| c.is_ascii_digit())
    });
    are_between.then(|| float(&text.replace('_', "")))?
}

/// Reads a float that is finite: digits with a point, with an exponent, or both.
fn float(text: &str) -> Option<ResolvedScalar> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (mantissa, exponent) = match digits.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (digits, None),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let are_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if !are_digits(whole) || !are_digits(fraction) || whole.is_empty() && fraction.is_empty() {
        return None;
    }
    if let Some(exponent) = exponent {
        let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        if exponent.is_empty() || !are_digits(exponent) {
            return None;
        }
    }
    let float: f64 = text.parse().ok()?;
    float.is_finite().then_some(ResolvedScalar::Float(float))
}

/// Reads a number of JSON as apimachinery does.
fn json_number(text: &str) -> Result<ResolvedScalar, String> {
    if let Ok(int) = text.parse() {
        return Ok(ResolvedScalar::Int(int));
    }
    match text.parse::<f64>() {
        Ok(float) if float.is_finite() => Ok(ResolvedScalar::JsonFloat(float)),
        _ => Err(
            "the number exceeds the range of a 64-bit float and is not a finite number; write a smaller number"
                .to_owned(),
        ),
    }
}

fn binary(text: &str) -> Result<ResolvedScalar, String> {
    let bytes = base64::decode(text, Alphabet::Standard)
        .map_err(|_| "the value of !!binary is not base64; remove the tag".to_owned())?;
    // Go writes one U+FFFD for each byte that is not UTF-8.
    let mut read = String::new();
    for chunk in bytes.utf8_chunks() {
        read.push_str(chunk.valid());
        read.extend(chunk.invalid().iter().map(|_| '\u{fffd}'));
    }
    Ok(ResolvedScalar::String(read))
}

impl Scalar {
    /// Returns true if the value is null.
    #[must_use]
    pub fn is_null(&self) -> bool {
        matches!(resolve(self), Ok(ResolvedScalar::Null))
    }

    /// Returns the key that an object has for this scalar: `true` for `on`. A key that objects
    /// cannot have is returned as it is written.
    #[must_use]
    pub fn key(&self) -> String {
        let resolved = resolve(self).ok();
        let key = resolved.and_then(|resolved| resolved.key().ok());
        key.unwrap_or_else(|| self.text.clone())
    }

    /// Returns true for `<<`, whose value is merged into the map.
    pub(crate) fn is_merge(&self) -> bool {
        let may_be = match self.tag.as_slice() {
            b"" => self.style == Style::Plain,
            tag => tag == b"!" || tag == MERGE,
        };
        self.text == "<<" && may_be
    }
}

impl ResolvedScalar {
    /// Returns the JSON value, or a message.
    pub(crate) fn value(self) -> Result<Value, String> {
        Ok(match self {
            Self::Null => Value::Null,
            Self::Bool(value) => value.into(),
            Self::Int(int) => int.into(),
            // API servers have no integers of this size.
            Self::Uint(int) => Value::Number(finite(unsigned_as_float(int))?),
            Self::Float(float) => Value::Number(sent(float)?),
            Self::JsonFloat(float) => Value::Number(finite(float)?),
            Self::String(text) => text.into(),
        })
    }

    /// Returns the string that a key becomes, or a message.
    pub(crate) fn key(self) -> Result<String, String> {
        match self {
            Self::Null => Err("null is not supported as a key; quote the key".to_owned()),
            Self::Uint(int) => Err(format!(
                "{int} exceeds the 64-bit integers that a key may be; quote the key"
            )),
            Self::Bool(value) => Ok(value.to_string()),
            Self::Int(int) => Ok(int.to_string()),
            Self::Float(float) | Self::JsonFloat(float) => Ok(float_key(float)),
            Self::String(text) => Ok(text),
        }
    }
}

/// Returns the number that is read from the JSON of a float: without a fraction, it is an integer.
fn sent(float: f64) -> Result<Number, String> {
    if float.abs() < 1e21
        && float.fract() == 0.0
        && let Ok(int) = format!("{float}").parse::<i64>()
    {
        return Ok(int.into());
    }
    finite(float)
}

fn finite(float: f64) -> Result<Number, String> {
    Number::from_f64(float).ok_or_else(|| {
        format!("{float} is not a finite number, which JSON requires; quote the string")
    })
}

/// Returns a float as a key: as Go prints it with the format `g` and 32 bits.
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
    let scientific = shortest(float);
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-4..6).contains(&exponent) {
        // The exponent is small, so the float is as written.
        return format_plain(mantissa, exponent);
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{mantissa}e{sign}{:02}", exponent.abs())
}

/// Returns the shortest digits of a float. If two strings of digits are equally near, it is the one
/// whose last digit is even, as in Go.
fn shortest(float: f32) -> String {
    let shortest = format!("{float:e}");
    let digits = shortest.bytes().take_while(|byte| *byte != b'e');
    let digits = digits.filter(u8::is_ascii_digit).count();
    let rounded = format!("{float:.*e}", digits.saturating_sub(1));
    let is_same = rounded.parse() == Ok(float);
    if is_same { rounded } else { shortest }
}

/// Writes digits with an exponent from -4 to 5 without the exponent.
fn format_plain(mantissa: &str, exponent: i32) -> String {
    let (sign, mantissa) = match mantissa.strip_prefix('-') {
        Some(mantissa) => ("-", mantissa),
        None => ("", mantissa),
    };
    let digits = mantissa.replace('.', "");
    let Ok(before) = usize::try_from(exponent + 1) else {
        let zeros = "0".repeat(exponent.unsigned_abs() as usize - 1);
        return format!("{sign}0.{zeros}{digits}");
    };
    if before == 0 {
        return format!("{sign}0.{digits}");
    }
    match digits.split_at_checked(before) {
        Some((whole, "")) => format!("{sign}{whole}"),
        Some((whole, fraction)) => format!("{sign}{whole}.{fraction}"),
        None => format!("{sign}{digits}{}", "0".repeat(before - digits.len())),
    }
}
