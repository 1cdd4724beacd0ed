//! Translates escapes.

use super::class;
use super::code_point::{NEVER, parse_code_point};
use super::translator::Translator;
use crate::pattern::error::{PatternErrorCode, SyntaxError, prefix_before, without_first_char};

/// Translates an escape outside of brackets.
pub(super) fn translate_escape<'p>(translator: &mut Translator<'p>) -> Result<(), SyntaxError<'p>> {
    let start = translator.rest;
    translator.charge(1)?;
    let mut chars = without_first_char(start).chars();
    let next = chars.next();
    let rest = chars.as_str();
    let assertion = match next {
        Some('A') => r"\A",
        Some('z') => r"\z",
        // Word boundaries of ASCII, as in Go.
        Some('b') => r"(?-u:\b)",
        Some('B') => {
            translator.has_non_word_boundary = true;
            r"(?-u:\B)"
        }
        Some('C') => {
            return Err(PatternErrorCode::InvalidEscape.error_at(prefix_before(start, rest)));
        }
        Some('Q') => return translate_quoted(translator, rest),
        _ => {
            if let Some((class, rest)) = class::escaped_class(start)? {
                translator.rest = rest;
                translator.charge(class.cost())?;
                translator.push_class(&class.to_bracketed());
                return Ok(());
            }
            let (code, rest) = parse_code_point(start)?;
            translator.rest = rest;
            match char::from_u32(code) {
                Some(c) => translator.push_literal(c),
                // Strings do not contain surrogates.
                None => translator.push_atom(NEVER),
            }
            return Ok(());
        }
    };
    translator.rest = rest;
    translator.push_atom(assertion);
    Ok(())
}

/// Translates the literal characters from `\Q` to `\E`.
fn translate_quoted<'p>(
    translator: &mut Translator<'p>,
    rest: &'p str,
) -> Result<(), SyntaxError<'p>> {
    let (literal, rest) = rest.split_once(r"\E").unwrap_or((rest, ""));
    translator.charge(literal.len())?;
    for c in literal.chars() {
        translator.push_literal(c);
    }
    translator.rest = rest;
    Ok(())
}
