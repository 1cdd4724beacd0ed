//! The state of a translation: the rest of the pattern, the output and the open groups.

use core::fmt::Write as _;

use crate::pattern::error::{PatternErrorCode, SyntaxError};

/// The flags that apply until the end of the group.
#[derive(Clone, Copy, Debug, Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each flag is a letter of the syntax"
)]
pub(super) struct Flags {
    /// `i`: upper and lower case letters are equal.
    pub(super) case_insensitive: bool,
    /// `m`: `^` and `$` match at the start and the end of a line.
    pub(super) multi_line: bool,
    /// `s`: the dot also matches a line break.
    pub(super) dot_all: bool,
    /// `U`: repetitions are lazy, and greedy with `?`.
    pub(super) ungreedy: bool,
}

/// An open group: the state before the group, which the end of the group restores.
#[derive(Clone, Copy, Debug)]
pub(super) struct OpenGroup {
    pub(super) flags: Flags,
    pub(super) max_repeats: u32,
}

/// A translator: the rest of the pattern, and the output so far.
pub(super) struct Translator<'p> {
    pub(super) pattern: &'p str,
    pub(super) rest: &'p str,
    pub(super) out: String,
    pub(super) flags: Flags,
    pub(super) groups: Vec<OpenGroup>,
    /// The number of times that the last atom repeats its innermost part; `None` if there is no
    /// atom to repeat.
    pub(super) atom_repeats: Option<u32>,
    /// The largest number of repetitions in the group so far.
    pub(super) max_repeats: u32,
    /// The rest of the pattern from the previous repetition on, if the next character directly
    /// follows that repetition.
    pub(super) last_repeat: Option<&'p str>,
    /// True if the pattern contains `\B`. The ASCII `\B` also matches inside a multibyte character;
    /// a search would stop there and miss the next match, so the search proceeds by characters.
    pub(super) has_non_word_boundary: bool,
    /// The cost that remains; see [`charge`](Self::charge).
    pub(super) budget: usize,
}

impl<'p> Translator<'p> {
    /// Writes an atom, which can be repeated.
    pub(super) fn push_atom(&mut self, source: &str) {
        self.out.push_str(source);
        self.atom_repeats = Some(1);
    }

    /// Writes a character class, which includes its brackets.
    pub(super) fn push_class(&mut self, source: &str) {
        if self.flags.case_insensitive {
            self.out.push_str("(?i:");
            self.out.push_str(source);
            self.out.push(')');
        } else {
            self.out.push_str(source);
        }
        self.atom_repeats = Some(1);
    }

    /// Writes a literal character.
    pub(super) fn push_literal(&mut self, c: char) {
        // Writing to a `String` cannot fail.
        let _ = match c {
            'a'..='z' | 'A'..='Z' if self.flags.case_insensitive => write!(self.out, "(?i:{c})"),
            'a'..='z' | 'A'..='Z' | '0'..='9' => write!(self.out, "{c}"),
            _ if !c.is_ascii() && self.flags.case_insensitive => write!(self.out, "(?i:{c})"),
            _ => write!(self.out, "\\x{{{:x}}}", u32::from(c)),
        };
        self.atom_repeats = Some(1);
    }

    /// Subtracts a cost from the budget, and fails if the budget is too small.
    pub(super) fn charge(&mut self, cost: usize) -> Result<(), SyntaxError<'p>> {
        match self.budget.checked_sub(cost) {
            Some(remaining) => {
                self.budget = remaining;
                Ok(())
            }
            None => Err(PatternErrorCode::Large.error_at(self.pattern)),
        }
    }
}
