//! What can be said of a template before there are values.

use super::clause::{Clause, Verb};
use crate::types::types::Type;

/// What a template is given, or a part of that which is written there.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub(crate) at: u32,
    pub(crate) ty: Type,
    /// The elements of a list; the keys and values of a map.
    pub(crate) parts: Vec<Part>,
}

/// What is wrong with a template and the types of what it is given.
pub(crate) struct Misfit {
    /// The place of what is of a wrong type; otherwise it is all of them.
    pub(crate) at: Option<u32>,
    /// In the words of the server.
    pub(crate) text: String,
}

/// Whether values of these types can be written as the template says.
///
/// # Errors
///
/// The first thing that is wrong. Values of a type that is not known are left to the evaluation.
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

/// Whether a value can be written by such a clause, with all that is seen of it.
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

/// What such a clause is for, where it is not for values of that type.
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
