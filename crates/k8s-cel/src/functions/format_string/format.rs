//! The function `format`.

use core::fmt::Write as _;

use super::float;
use super::specifier::{FormatSpecifier, Verb};
use super::value::{argument_value, write_as_string};
use crate::cost::hidden_cost::HiddenCost;
use crate::cost::tracker::CostTracker;
use crate::functions::call_form::Validator;
use crate::functions::dispatch::Dispatch;
use crate::functions::row::{ActualCost, FunctionRow, check_string_length, function, row};
use crate::functions::{actual_cost, estimated_cost};
use crate::types::feature::Feature;
use crate::values::equal::element;
use crate::values::value::{EvalError, Str, Val};

type Result<T> = core::result::Result<T, EvalError>;

/// The sign of a product on a server without [`Feature::CompactProducts`].
const SPACED_TIMES: &str = "\u{202f}×\u{202f}";

/// The functions of this file; see [`function`] and [`row`] for the meaning of the arguments.
pub(in crate::functions) const FUNCTIONS: &[FunctionRow] = &[function(
    "format",
    Dispatch::ByOverload,
    HiddenCost::All,
    &[row(
        &["string.list(dyn) -> string"],
        Some(Feature::StringsVersion2),
        |tracker, args| {
            let [Val::String(template), list] = args else {
                return Err(EvalError::no_such_overload());
            };
            format(tracker, template, list).map(Val::string)
        },
        ActualCost::by_overload_or_one(actual_cost::traversal),
        estimated_cost::reading,
    )],
)
.validator(Validator::Format)
.stopping_early()];

/// Formats the values of a list by a format string.
fn format<'v>(tracker: &CostTracker<'v>, template: &Str<'v>, list: &Val<'v>) -> Result<String> {
    let mut out = String::new();
    let mut rest = template.as_str();
    let mut count = 0;
    while let Some((before, after)) = rest.split_once('%') {
        out.push_str(before);
        if let Some(after) = after.strip_prefix('%') {
            out.push('%');
            rest = after;
            continue;
        }
        let Some(value) = element(tracker.declared_types, list, count) else {
            return Err(EvalError::new(format!("index {count} out of range")));
        };
        count += 1;
        if after.is_empty() {
            return Err(EvalError::new("unexpected end of string"));
        }
        let (specifier, after) = FormatSpecifier::parse(after).map_err(|error| {
            EvalError::new(format!("could not parse formatting clause: {error}"))
        })?;
        write_value(tracker, &specifier, &argument_value(value)?, &mut out).map_err(|error| {
            match error {
                EvalError::Expression(message) => {
                    EvalError::new(format!("error during formatting: {message}"))
                }
                error => error,
            }
        })?;
        check_string_length(out.len())?;
        rest = after;
    }
    out.push_str(rest);
    Ok(out)
}

/// Appends a value in the format of a specifier.
fn write_value<'v>(
    tracker: &CostTracker<'v>,
    specifier: &FormatSpecifier,
    value: &Val<'v>,
    out: &mut String,
) -> Result<()> {
    let type_error = |message: &str| {
        Err(EvalError::new(format!(
            "{message}, was given {}",
            value.type_name()
        )))
    };
    // Writing to a String cannot fail.
    let _ = match (specifier.verb, value) {
        (Verb::String, value) => return write_as_string(tracker, value, out),
        (Verb::Decimal, Val::Int(value)) => write!(out, "{value}"),
        (Verb::Decimal, Val::Uint(value)) => write!(out, "{value}"),
        (Verb::Decimal, _) => return type_error("decimal clause can only be used on integers"),
        (Verb::Fixed | Verb::Scientific, value) => {
            let Some(value) = to_float(value) else {
                return type_error(if specifier.verb == Verb::Fixed {
                    "fixed-point clause can only be used on doubles"
                } else {
                    "scientific clause can only be used on doubles"
                });
            };
            if specifier.verb == Verb::Fixed {
                float::write_fixed(value, &specifier.precision, out);
            } else {
                let has_spaces = !tracker.declared_types.has(Feature::CompactProducts);
                let times = if has_spaces { SPACED_TIMES } else { "×" };
                float::write_scientific(value, &specifier.precision, times, out);
            }
            Ok(())
        }
        (Verb::Binary, Val::Bool(value)) => write!(out, "{}", u8::from(*value)),
        (Verb::Binary | Verb::Octal | Verb::Hex | Verb::UpperHex, Val::Int(value)) => {
            out.push_str(if *value < 0 { "-" } else { "" });
            write_digits(specifier.verb, value.unsigned_abs(), out)
        }
        (Verb::Binary | Verb::Octal | Verb::Hex | Verb::UpperHex, Val::Uint(value)) => {
            write_digits(specifier.verb, *value, out)
        }
        (Verb::Hex | Verb::UpperHex, Val::String(string)) => {
            return write_hex(specifier.verb, string.as_str().as_bytes(), out);
        }
        (Verb::Hex | Verb::UpperHex, Val::Bytes(bytes)) => {
            return write_hex(specifier.verb, bytes, out);
        }
        (Verb::Binary, _) => {
            return type_error("only integers and bools can be formatted as binary");
        }
        (Verb::Octal, _) => return type_error("octal clause can only be used on integers"),
        (Verb::Hex | Verb::UpperHex, _) => {
            return type_error("only integers, byte buffers, and strings can be formatted as hex");
        }
    };
    Ok(())
}

/// Returns the value as a float. A string may name a float that has no literal.
fn to_float(value: &Val<'_>) -> Option<f64> {
    match value {
        Val::Double(value) => Some(*value),
        Val::String(string) => match string.as_str() {
            "NaN" => Some(f64::NAN),
            "Infinity" => Some(f64::INFINITY),
            "-Infinity" => Some(f64::NEG_INFINITY),
            _ => None,
        },
        _ => None,
    }
}

fn write_digits(verb: Verb, number: u64, out: &mut String) -> core::fmt::Result {
    match verb {
        Verb::Binary => write!(out, "{number:b}"),
        Verb::Octal => write!(out, "{number:o}"),
        Verb::UpperHex => write!(out, "{number:X}"),
        _ => write!(out, "{number:x}"),
    }
}

fn write_hex(verb: Verb, bytes: &[u8], out: &mut String) -> Result<()> {
    check_string_length(bytes.len().saturating_mul(2))?;
    for byte in bytes {
        // Writing to a String cannot fail.
        let _ = match verb {
            Verb::UpperHex => write!(out, "{byte:02X}"),
            _ => write!(out, "{byte:02x}"),
        };
    }
    Ok(())
}
