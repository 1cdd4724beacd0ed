//! Reads a pattern once, and writes it anew. One loop over the pattern, and a list of open groups: a pattern of any
//! depth takes no stack.

use super::class;
use super::error::{Problem, Refused, tail};
use super::escape;
use super::translator::{Flags, Translator};

/// How much a pattern may ask for before it is compiled, by [`Translator::pay`]. A class of Unicode costs most.
const BUDGET: usize = 1_000_000;

/// A pattern, written anew.
pub(super) struct Translated {
    pub(super) text: String,
    /// Whether a search goes through a text by characters: see [`Translator::has_no_boundary`].
    pub(super) by_characters: bool,
}

pub(super) fn translate(pattern: &str) -> Result<Translated, Refused<'_>> {
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
        return Err(Problem::MissingParen.at(pattern));
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
