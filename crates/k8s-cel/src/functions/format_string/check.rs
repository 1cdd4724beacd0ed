//! Checks of literal format strings at compile time.

use super::specifier::{FormatSpecifier, Verb};
use crate::types::types::Type;

/// The type of an argument of a format string, or of a literal value inside an argument.
#[derive(Clone, Debug)]
pub(crate) struct ArgumentType {
    pub(crate) offset: u32,
    pub(crate) ty: Type,
    /// The types of the elements of a list, or of the keys and values of a map.
    pub(crate) nested: Vec<ArgumentType>,
}

/// An error in a format string, or in the types of its arguments.
pub(crate) struct FormatStringError {
    /// The position of the value of the wrong type, or `None` for an error of the whole call.
    pub(crate) offset: Option<u32>,
    /// The message of the server.
    pub(crate) message: String,
}

/// Checks that a format string accepts arguments of the given types. `resolve_type` replaces the
/// type variables in a type by the inferred types.
///
/// # Errors
///
/// Returns the first error. Values of unknown types are checked at run time.
pub(crate) fn check_format_string(
    template: &str,
    arguments: &[ArgumentType],
    resolve_type: &dyn Fn(&Type) -> Type,
) -> Result<(), FormatStringError> {
    let call_error = |message: String| FormatStringError {
        offset: None,
        message,
    };
    let mut rest = template;
    let mut count = 0;
    while let Some((_, after)) = rest.split_once('%') {
        if let Some(after) = after.strip_prefix('%') {
            rest = after;
            continue;
        }
        if after.is_empty() {
            return Err(call_error("unexpected end of string".into()));
        }
        let Some(argument) = arguments.get(count) else {
            return Err(call_error(format!("index {count} out of range")));
        };
        let (specifier, after) = FormatSpecifier::parse(after)
            .map_err(|error| call_error(format!("could not parse formatting clause: {error}")))?;
        check_argument(specifier.verb, argument, resolve_type)?;
        count += 1;
        rest = after;
    }
    if count < arguments.len() {
        let arguments = arguments.len();
        return Err(call_error(format!(
            "too many arguments supplied to string.format (expected {count}, got {arguments})"
        )));
    }
    Ok(())
}

/// Checks that a specifier can format a value of a type, and all literal values inside.
fn check_argument(
    verb: Verb,
    argument: &ArgumentType,
    resolve_type: &dyn Fn(&Type) -> Type,
) -> Result<(), FormatStringError> {
    let ty = resolve_type(&argument.ty);
    if let Some(message) = type_error_message(verb, &ty) {
        let name = ty.runtime_name();
        return Err(FormatStringError {
            offset: Some(argument.offset),
            message: format!("error during formatting: {message}, was given {name}"),
        });
    }
    let mut nested = argument.nested.iter();
    nested.try_for_each(|argument| check_argument(verb, argument, resolve_type))
}

/// Returns the message for a type whose values the verb cannot format.
fn type_error_message(verb: Verb, ty: &Type) -> Option<&'static str> {
    if matches!(ty, Type::Dyn | Type::Var(_) | Type::Error) {
        return None;
    }
    let is_integer = matches!(ty, Type::Int | Type::Uint);
    let (is_supported, message) = match verb {
        Verb::String => (
            !matches!(
                ty,
                Type::Optional(_) | Type::Opaque(_) | Type::Object(_) | Type::Missing(_)
            ),
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
    (!is_supported).then_some(message)
}
