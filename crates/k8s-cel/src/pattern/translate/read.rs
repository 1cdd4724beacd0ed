//! The loop over a pattern, which writes the translation. Open groups are in a list, so a pattern
//! of any depth does not take stack.

use super::class;
use super::escape;
use super::translator::{Flags, Translator};
use crate::pattern::error::{PatternErrorCode, Refused, tail};

/// The budget of a pattern for [`Translator::pay`]. A class of Unicode has the highest cost.
const BUDGET: usize = 1_000_000;

/// A translated pattern.
pub(in crate::pattern) struct Translated {
    pub(in crate::pattern) text: String,
    /// True if a search proceeds by characters: see [`Translator::has_no_boundary`].
    pub(in crate::pattern) by_characters: bool,
}

pub(in crate::pattern) fn translate(pattern: &str) -> Result<Translated, Refused<'_>> {
    let mut translator = Translator {
        whole: pattern,
        rest: pattern,
        out: String::with_capacity(2 * pattern.len()),
        flags: Flags::default(),
        groups: Vec::new(),
        atom: None,
        heaviest: 1,
        last_repeat: None,
        has_no_boundary: false,
        budget: BUDGET,
    };
    while let Some(next) = translator.rest.chars().next() {
        translator.step(next)?;
    }
    if !translator.groups.is_empty() {
        return Err(PatternErrorCode::MissingParen.at(pattern));
    }
    Ok(Translated {
        text: translator.out,
        by_characters: translator.has_no_boundary,
    })
}

impl<'p> Translator<'p> {
    fn step(&mut self, next: char) -> Result<(), Refused<'p>> {
        let last_repeat = self.last_repeat.take();
        match next {
            '*' | '+' | '?' => return self.simple_repeat(next, last_repeat),
            '{' => return self.counted_repeat(last_repeat),
            '(' => return self.open(),
            ')' => return self.close(),
            '[' => return class::bracketed(self),
            '\\' => return escape::escape(self),
            _ => {}
        }
        self.rest = tail(self.rest);
        match next {
            '|' => {
                self.atom = None;
                self.out.push('|');
            }
            '^' => self.atom(if self.flags.lines { "(?m:^)" } else { r"\A" }),
            '$' => self.atom(if self.flags.lines { "(?m:$)" } else { r"\z" }),
            '.' => self.atom(if self.flags.dot_all { "(?s:.)" } else { "." }),
            other => self.literal(other),
        }
        self.pay(1)
    }
}
