//! Checks of a format string before its arguments have values.

use super::clause::{Clause, Verb};
use crate::types::types::Type;

/// An argument of a format string, or a literal part of an argument.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub(crate) at: u32,
    pub(crate) ty: Type,
    /// The elements of a list; the keys and values of a map.
    pub(crate) parts: Vec<Part>,
}

/// An error in a format string or in the types of its arguments.
pub(crate) struct Misfit {
    /// The position of the value of a wrong type; `None` for an error of the whole call.
    pub(crate) at: Option<u32>,
    /// The message of the server.
    pub(crate) text: String,
}

/// Checks that values of these types can be formatted by a format string.
///
/// # Errors
///
/// Returns an error if a value does not fit, for the first problem. Values of unknown types are
/// left to the evaluation.
pub(crate) fn check(
    template: &str,
    given: &[Part],
    finish: &dyn Fn(&Type) -> Type,
) -> Result<(), Misfit> {
    let wrong = |text: String| Misfit { at: None, text };
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
        let (clause, after) = Clause::read(after)
            .map_err(|why| wrong(format!("could not parse formatting clause: {why}")))?;
        check_part(clause.verb, part, finish)?;
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
fn check_part(verb: Verb, part: &Part, finish: &dyn Fn(&Type) -> Type) -> Result<(), Misfit> {
    let ty = finish(&part.ty);
    if let Some(text) = mismatch(verb, &ty) {
        let name = ty.runtime_name();
        return Err(Misfit {
            at: Some(part.at),
            text: format!("error during formatting: {text}, was given {name}"),
        });
    }
    let mut parts = part.parts.iter();
    parts.try_for_each(|part| check_part(verb, part, finish))
}

/// Returns the description of a clause that cannot format values of a type.
fn mismatch(verb: Verb, ty: &Type) -> Option<&'static str> {
    if matches!(ty, Type::Dyn | Type::Var(_) | Type::Error) {
        return None;
    }
    let is_integer = matches!(ty, Type::Int | Type::Uint);
    let (fits, text) = match verb {
        Verb::Plain => (
            !matches!(ty, Type::Optional(_) | Type::Opaque(_) | Type::Object(_)),
            "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps",
        ),
        Verb::Decimal => (is_integer, "decimal clause can only be used on integers"),
        Verb::Fixed => (
            matches!(ty, Type::Double | Type::Text),
            "fixed-point clause can only be used on doubles",
        ),
        Verb::Scientific => (
            matches!(ty, Type::Double | Type::Text),
            "scientific clause can only be used on doubles",
        ),
        Verb::Binary => (
            is_integer || *ty == Type::Bool,
            "only integers and bools can be formatted as binary",
        ),
        Verb::Octal => (is_integer, "octal clause can only be used on integers"),
        Verb::Hex | Verb::LargeHex => (
            is_integer || matches!(ty, Type::Text | Type::Bytes),
            "only integers, byte buffers, and strings can be formatted as hex",
        ),
    };
    (!fits).then_some(text)
}
