//! Escapes: everything that begins with a backslash.

use super::class;
use super::code_point::{NEVER, code_point};
use super::translator::Translator;
use crate::pattern::error::{PatternErrorCode, SyntaxError, prefix_before, tail};

/// Reads an escape outside of brackets.
pub(super) fn translate_escape<'p>(to: &mut Translator<'p>) -> Result<(), SyntaxError<'p>> {
    let start = to.rest;
    to.charge(1)?;
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
        Some('C') => {
            return Err(PatternErrorCode::InvalidEscape.error_at(prefix_before(start, rest)));
        }
        Some('Q') => return quoted(to, rest),
        _ => {
            if let Some((set, rest)) = class::escaped_class(start)? {
                to.rest = rest;
                to.charge(set.cost())?;
                to.push_class(&set.to_bracketed());
                return Ok(());
            }
            let (code, rest) = code_point(start)?;
            to.rest = rest;
            match char::from_u32(code) {
                Some(c) => to.push_literal(c),
                // A surrogate, which is not part of any string.
                None => to.push_atom(NEVER),
            }
            return Ok(());
        }
    };
    to.rest = rest;
    to.push_atom(assertion);
    Ok(())
}

/// Reads `\Q` and the literal characters up to `\E`.
fn quoted<'p>(to: &mut Translator<'p>, rest: &'p str) -> Result<(), SyntaxError<'p>> {
    let (text, rest) = rest.split_once(r"\E").unwrap_or((rest, ""));
    to.charge(text.len())?;
    for c in text.chars() {
        to.push_literal(c);
    }
    to.rest = rest;
    Ok(())
}
