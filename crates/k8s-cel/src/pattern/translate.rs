//! Reads a pattern once, and writes it anew. One loop over the pattern, and a list of open groups: a pattern of any
//! depth takes no stack.

use core::fmt::Write as _;

use super::class;
use super::error::{Problem, Refused, tail};
use super::escape;
use super::group::{Flags, Group};

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

pub(super) struct Translator<'p> {
    pub(super) whole: &'p str,
    pub(super) rest: &'p str,
    pub(super) out: String,
    pub(super) flags: Flags,
    pub(super) groups: Vec<Group>,
    /// How often the inmost part of what a repetition would repeat is repeated by now; `None` if there is nothing.
    pub(super) atom: Option<u32>,
    /// The largest such number in the group so far.
    pub(super) heaviest: u32,
    /// The pattern from the repetition on that stands right before.
    pub(super) last_repeat: Option<&'p str>,
    /// Whether there is a `\B`. That of ASCII holds inside of a character too, and a search that stops at such a place
    /// passes over what it would have found; so the search goes through the text by characters.
    pub(super) has_no_boundary: bool,
    budget: usize,
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

    /// Writes something that can be repeated.
    pub(super) fn atom(&mut self, text: &str) {
        self.out.push_str(text);
        self.atom = Some(1);
    }

    /// Writes a set of characters, which has its own brackets.
    pub(super) fn set(&mut self, text: &str) {
        if self.flags.fold {
            self.out.push_str("(?i:");
            self.out.push_str(text);
            self.out.push(')');
        } else {
            self.out.push_str(text);
        }
        self.atom = Some(1);
    }

    pub(super) fn literal(&mut self, c: char) {
        // Writing to a String cannot fail.
        let _ = match c {
            'a'..='z' | 'A'..='Z' if self.flags.fold => write!(self.out, "(?i:{c})"),
            'a'..='z' | 'A'..='Z' | '0'..='9' => write!(self.out, "{c}"),
            _ if !c.is_ascii() && self.flags.fold => write!(self.out, "(?i:{c})"),
            _ => write!(self.out, "\\x{{{:x}}}", u32::from(c)),
        };
        self.atom = Some(1);
    }

    /// Takes what something costs from the budget.
    pub(super) fn pay(&mut self, cost: usize) -> Result<(), Refused<'p>> {
        match self.budget.checked_sub(cost) {
            Some(left) => {
                self.budget = left;
                Ok(())
            }
            None => Err(Problem::Large.at(self.whole)),
        }
    }
}
