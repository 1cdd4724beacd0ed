//! The state of a translation: the rest of the pattern, the output and the open groups.

use core::fmt::Write as _;

use super::error::{Problem, Refused};

/// The flags in force until the group ends.
#[derive(Clone, Copy, Debug, Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each of them is a letter of the syntax"
)]
pub(super) struct Flags {
    /// `i`: small and large letters are the same.
    pub(super) fold: bool,
    /// `m`: `^` and `$` are those of lines.
    pub(super) lines: bool,
    /// `s`: the dot stands for a line break too.
    pub(super) dot_all: bool,
    /// `U`: repetitions are lazy without a mark, and not lazy with it.
    pub(super) ungreedy: bool,
}

/// The state before a group.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group {
    pub(super) flags: Flags,
    pub(super) heaviest: u32,
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
    pub(super) budget: usize,
}

impl<'p> Translator<'p> {
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
