//! Escapes: everything that begins with a backslash.

use super::class;
use super::code_point::{NEVER, code_point};
use super::translator::Translator;
use crate::pattern::error::{PatternErrorCode, Refused, tail, up_to};

/// Reads an escape outside of brackets.
pub(super) fn escape<'p>(to: &mut Translator<'p>) -> Result<(), Refused<'p>> {
    let start = to.rest;
    to.pay(1)?;
    let mut chars = tail(start).chars();
    let next = chars.next();
    let rest = chars.as_str();
    let assertion = match next {
        Some('A') => r"\A",
        Some('z') => r"\z",
        // The word boundaries of ASCII.
        Some('b') => r"(?-u:\b)",
        Some('B') => {
            to.has_no_boundary = true;
            r"(?-u:\B)"
        }
        Some('C') => return Err(PatternErrorCode::Escape.at(up_to(start, rest))),
        Some('Q') => return quoted(to, rest),
        _ => {
            if let Some((set, rest)) = class::escaped_set(start)? {
                to.rest = rest;
                to.pay(set.cost())?;
                to.set(&set.bracketed());
                return Ok(());
            }
            let (code, rest) = code_point(start)?;
            to.rest = rest;
            match char::from_u32(code) {
                Some(c) => to.literal(c),
                // A surrogate, which is not part of any string.
                None => to.atom(NEVER),
            }
            return Ok(());
        }
    };
    to.rest = rest;
    to.atom(assertion);
    Ok(())
}

/// Reads `\Q` and the literal characters up to `\E`.
fn quoted<'p>(to: &mut Translator<'p>, rest: &'p str) -> Result<(), Refused<'p>> {
    let (text, rest) = rest.split_once(r"\E").unwrap_or((rest, ""));
    to.pay(text.len())?;
    for c in text.chars() {
        to.literal(c);
    }
    to.rest = rest;
    Ok(())
}
