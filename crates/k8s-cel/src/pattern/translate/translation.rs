//! The main loop of the translation. Open groups are in a list, so nested groups do not need
//! recursion.

use super::class;
use super::escape;
use super::translator::{Flags, Translator};
use crate::pattern::error::{PatternErrorCode, SyntaxError, without_first_char};

/// The budget of a pattern for [`Translator::charge`]. The cost approximates the work of parsing
/// the translated pattern: 1 for a character, 4 for a range, 1000 for a Unicode class.
const MAX_COST: usize = 1_000_000;

/// A translated pattern.
pub(in crate::pattern) struct TranslatedPattern {
    pub(in crate::pattern) source: String,
    /// True if a search must proceed by characters; see [`Translator::has_non_word_boundary`].
    pub(in crate::pattern) searches_by_character: bool,
}

/// Translates a pattern from Go's syntax to the syntax of the regex crate.
pub(in crate::pattern) fn translate(pattern: &str) -> Result<TranslatedPattern, SyntaxError<'_>> {
    let mut translator = Translator {
        pattern,
        rest: pattern,
        out: String::with_capacity(2 * pattern.len()),
        flags: Flags::default(),
        groups: Vec::new(),
        atom_repeats: None,
        max_repeats: 1,
        last_repeat: None,
        has_non_word_boundary: false,
        budget: MAX_COST,
    };
    while let Some(next) = translator.rest.chars().next() {
        translator.translate_next(next)?;
    }
    if !translator.groups.is_empty() {
        return Err(PatternErrorCode::MissingParen.error_at(pattern));
    }
    Ok(TranslatedPattern {
        source: translator.out,
        searches_by_character: translator.has_non_word_boundary,
    })
}

impl<'p> Translator<'p> {
    /// Translates the next part of the pattern, which starts with `next`.
    fn translate_next(&mut self, next: char) -> Result<(), SyntaxError<'p>> {
        let last_repeat = self.last_repeat.take();
        match next {
            '*' | '+' | '?' => return self.translate_simple_repeat(next, last_repeat),
            '{' => return self.translate_counted_repeat(last_repeat),
            '(' => return self.open_group(),
            ')' => return self.close_group(),
            '[' => return class::translate_bracketed(self),
            '\\' => return escape::translate_escape(self),
            _ => {}
        }
        self.rest = without_first_char(self.rest);
        match next {
            '|' => {
                self.atom_repeats = None;
                self.out.push('|');
            }
            '^' => self.push_atom(if self.flags.multi_line {
                "(?m:^)"
            } else {
                r"\A"
            }),
            '$' => self.push_atom(if self.flags.multi_line {
                "(?m:$)"
            } else {
                r"\z"
            }),
            '.' => self.push_atom(if self.flags.dot_all { "(?s:.)" } else { "." }),
            other => self.push_literal(other),
        }
        self.charge(1)
    }
}
