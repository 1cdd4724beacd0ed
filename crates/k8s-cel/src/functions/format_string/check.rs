//! Checks of a format string before its arguments have values.

use super::specifier::{FormatSpecifier, Verb};
use crate::types::types::Type;

/// An argument of a format string, or a literal part of an argument.
#[derive(Clone, Debug)]
pub(crate) struct ArgumentType {
    pub(crate) offset: u32,
    pub(crate) ty: Type,
    /// The elements of a list; the keys and values of a map.
    pub(crate) parts: Vec<ArgumentType>,
}

/// An error in a format string or in the types of its arguments.
pub(crate) struct FormatStringError {
    /// The position of the value of a wrong type; `None` for an error of the whole call.
    pub(crate) offset: Option<u32>,
    /// The message of the server.
    pub(crate) message: String,
}

/// Checks that values of these types can be formatted by a format string.
///
/// # Errors
///
/// Returns an error if a value does not fit, for the first problem. Values of unknown types are
/// left to the evaluation.
pub(crate) fn check_format_string(
    template: &str,
    given: &[ArgumentType],
    finish: &dyn Fn(&Type) -> Type,
) -> Result<(), FormatStringError> {
    let wrong = |text: String| FormatStringError {
        offset: None,
        message: text,
    };
    let mut rest = template;
    let mut count = 0;
    while let Some((_, after)) = rest.split_once('%') {
        if let Some(after) = after.strip_prefix('%') {
            rest = after;
            continue;
        }
        if after.is_empty() {
            return Err(wrong("unexpected end of string".into()));
        }
        let Some(part) = given.get(count) else {
            return Err(wrong(format!("index {count} out of range")));
        };
        let (clause, after) = FormatSpecifier::parse(after)
            .map_err(|why| wrong(format!("could not parse formatting clause: {why}")))?;
        check_argument(clause.verb, part, finish)?;
        count += 1;
        rest = after;
    }
    if count < given.len() {
        let given = given.len();
        return Err(wrong(format!(
            "too many arguments supplied to string.format (expected {count}, got {given})"
        )));
    }
    Ok(())
}

/// Checks that a clause can format a value and its literal parts.
fn check_argument(
    verb: Verb,
    part: &ArgumentType,
    finish: &dyn Fn(&Type) -> Type,
) -> Result<(), FormatStringError> {
    let ty = finish(&part.ty);
    if let Some(text) = mismatch(verb, &ty) {
        let name = ty.runtime_name();
        return Err(FormatStringError {
            offset: Some(part.offset),
            message: format!("error during formatting: {text}, was given {name}"),
        });
    }
    let mut parts = part.parts.iter();
    parts.try_for_each(|part| check_argument(verb, part, finish))
}

/// Returns the description of a clause that cannot format values of a type.
fn mismatch(verb: Verb, ty: &Type) -> Option<&'static str> {
    if matches!(ty, Type::Dyn | Type::Var(_) | Type::Error) {
        return None;
    }
    let is_integer = matches!(ty, Type::Int | Type::Uint);
    let (fits, text) = match verb {
        Verb::String => (
            !matches!(ty, Type::Optional(_) | Type::Opaque(_) | Type::Object(_)),
            "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps",
        ),
        Verb::Decimal => (is_integer, "decimal clause can only be used on integers"),
        Verb::Fixed => (
            matches!(ty, Type::Double | Type::String),
            "fixed-point clause can only be used on doubles",
        ),
        Verb::Scientific => (
            matches!(ty, Type::Double | Type::String),
            "scientific clause can only be used on doubles",
        ),
        Verb::Binary => (
            is_integer || *ty == Type::Bool,
            "only integers and bools can be formatted as binary",
        ),
        Verb::Octal => (is_integer, "octal clause can only be used on integers"),
        Verb::Hex | Verb::UpperHex => (
            is_integer || matches!(ty, Type::String | Type::Bytes),
            "only integers, byte buffers, and strings can be formatted as hex",
        ),
    };
    (!fits).then_some(text)
}
