//! The state of a translation: the rest of the pattern, the output and the open groups.

use core::fmt::Write as _;

use crate::pattern::error::{PatternErrorCode, SyntaxError};

/// The flags in force until the group ends.
#[derive(Clone, Copy, Debug, Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each of them is a letter of the syntax"
)]
pub(super) struct Flags {
    /// `i`: small and large letters are the same.
    pub(super) fold: bool,
    /// `m`: `^` and `$` match at the start and the end of a line.
    pub(super) lines: bool,
    /// `s`: the dot matches a line break too.
    pub(super) dot_all: bool,
    /// `U`: repetitions are lazy, and greedy with `?`.
    pub(super) ungreedy: bool,
}

/// The state before a group.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group {
    pub(super) flags: Flags,
    pub(super) max_repeats: u32,
}

/// A translation: the rest of the pattern, and the output so far.
pub(super) struct Translator<'p> {
    pub(super) whole: &'p str,
    pub(super) rest: &'p str,
    pub(super) out: String,
    pub(super) flags: Flags,
    pub(super) groups: Vec<Group>,
    /// The number of times that the innermost part of the last atom is repeated; `None` without an
    /// atom.
    pub(super) atom: Option<u32>,
    /// The largest number of repetitions in the group so far.
    pub(super) max_repeats: u32,
    /// The pattern from the previous repetition on.
    pub(super) last_repeat: Option<&'p str>,
    /// True if the pattern has a `\B`. The `\B` of ASCII matches inside a character too, at which a
    /// search would stop and miss the next match; such a search proceeds by characters.
    pub(super) has_no_boundary: bool,
    pub(super) budget: usize,
}

impl<'p> Translator<'p> {
    /// Writes a part that can be repeated.
    pub(super) fn push_atom(&mut self, text: &str) {
        self.out.push_str(text);
        self.atom = Some(1);
    }

    /// Writes a set of characters, which has its own brackets.
    pub(super) fn push_class(&mut self, text: &str) {
        if self.flags.fold {
            self.out.push_str("(?i:");
            self.out.push_str(text);
            self.out.push(')');
        } else {
            self.out.push_str(text);
        }
        self.atom = Some(1);
    }

    pub(super) fn push_literal(&mut self, c: char) {
        // Writing to a String cannot fail.
        let _ = match c {
            'a'..='z' | 'A'..='Z' if self.flags.fold => write!(self.out, "(?i:{c})"),
            'a'..='z' | 'A'..='Z' | '0'..='9' => write!(self.out, "{c}"),
            _ if !c.is_ascii() && self.flags.fold => write!(self.out, "(?i:{c})"),
            _ => write!(self.out, "\\x{{{:x}}}", u32::from(c)),
        };
        self.atom = Some(1);
    }

    /// Takes a cost from the budget.
    pub(super) fn charge(&mut self, cost: usize) -> Result<(), SyntaxError<'p>> {
        match self.budget.checked_sub(cost) {
            Some(left) => {
                self.budget = left;
                Ok(())
            }
            None => Err(PatternErrorCode::Large.error_at(self.whole)),
        }
    }
}
