//! Translates repetitions. As in Go, nested repetitions may repeat an atom at most 1000 times in
//! total.

use core::fmt::Write as _;

use super::translator::Translator;
use crate::pattern::error::{PatternErrorCode, SyntaxError, prefix_before, without_first_char};

/// The maximum number of repetitions.
const MAX_REPEATS: u32 = 1000;

/// The minimum and the maximum number of repetitions. `None` is infinity.
#[derive(Clone, Copy)]
struct RepeatBounds {
    min: u32,
    max: Option<u32>,
}

impl<'p> Translator<'p> {
    /// Translates `*`, `+` or `?`.
    pub(super) fn translate_simple_repeat(
        &mut self,
        operator: char,
        last_repeat: Option<&'p str>,
    ) -> Result<(), SyntaxError<'p>> {
        let start = self.rest;
        let (_, lazy) = self.skip_repeat(start, without_first_char(start), last_repeat)?;
        // In the output, `?` could follow another operator, as in `a*\Q\E?`, and make it lazy.
        self.out.push_str(match operator {
            '*' => "*",
            '+' => "+",
            _ => "{0,1}",
        });
        self.out.push_str(lazy);
        Ok(())
    }

    /// Translates a repetition in braces. A brace without a valid count is a literal.
    pub(super) fn translate_counted_repeat(
        &mut self,
        last_repeat: Option<&'p str>,
    ) -> Result<(), SyntaxError<'p>> {
        self.charge(1)?;
        let start = self.rest;
        let Some((bounds, rest)) = parse_bounds(without_first_char(start)) else {
            self.rest = without_first_char(start);
            self.push_literal('{');
            return Ok(());
        };
        let Some(bounds) = bounds else {
            return Err(PatternErrorCode::InvalidRepeatSize.error_at(prefix_before(start, rest)));
        };
        let (repeats, lazy) = self.skip_repeat(start, rest, last_repeat)?;
        let repeats = bounds.innermost_repeats(repeats);
        if bounds.is_counted() && repeats > MAX_REPEATS {
            return Err(
                PatternErrorCode::InvalidRepeatSize.error_at(prefix_before(start, self.rest))
            );
        }
        self.atom_repeats = Some(repeats);
        self.max_repeats = self.max_repeats.max(repeats);
        let RepeatBounds { min, max } = bounds;
        // Writing to a `String` cannot fail.
        let _ = match max {
            Some(max) => write!(self.out, "{{{min},{max}}}{lazy}"),
            None => write!(self.out, "{{{min},}}{lazy}"),
        };
        Ok(())
    }

    /// Skips a repetition with its question mark, if any. Returns the number of repetitions inside
    /// the repeated atom, and the question mark to write if the repetition is lazy.
    fn skip_repeat(
        &mut self,
        start: &'p str,
        rest: &'p str,
        last_repeat: Option<&'p str>,
    ) -> Result<(u32, &'static str), SyntaxError<'p>> {
        let (has_question_mark, rest) = match rest.strip_prefix('?') {
            Some(rest) => (true, rest),
            None => (false, rest),
        };
        if let Some(last) = last_repeat {
            return Err(PatternErrorCode::InvalidRepeatOp.error_at(prefix_before(last, rest)));
        }
        let Some(repeats) = self.atom_repeats else {
            return Err(
                PatternErrorCode::MissingRepeatArgument.error_at(prefix_before(start, rest))
            );
        };
        self.rest = rest;
        self.last_repeat = Some(start);
        let is_lazy = has_question_mark != self.flags.ungreedy;
        Ok((repeats, if is_lazy { "?" } else { "" }))
    }
}

impl RepeatBounds {
    /// Returns the number of repetitions of the innermost atom. An atom that is repeated zero times
    /// does not count.
    fn innermost_repeats(self, inner: u32) -> u32 {
        match self.max.unwrap_or(self.min) {
            0 if self.max.is_some() => 1,
            0 => inner,
            repeats => inner.saturating_mul(repeats),
        }
    }

    /// Returns true if a bound is at least 2. The limit applies only to such repetitions.
    fn is_counted(self) -> bool {
        self.min >= 2 || self.max.is_some_and(|max| max >= 2)
    }
}

/// Parses the numbers between braces, and returns them with the rest of the pattern. The inner
/// `None` is for a number that is too large, or a minimum above the maximum.
fn parse_bounds(pattern: &str) -> Option<(Option<RepeatBounds>, &str)> {
    let (min, rest) = parse_number(pattern)?;
    let (max, rest) = match rest.strip_prefix(',') {
        None => (min.map(Some), rest),
        Some(rest) if rest.starts_with('}') => (Some(None), rest),
        Some(rest) => {
            let (max, rest) = parse_number(rest)?;
            (max.map(Some), rest)
        }
    };
    let rest = rest.strip_prefix('}')?;
    let bounds = match (min, max) {
        (Some(min), Some(max)) if max.is_none_or(|max| min <= max) => {
            Some(RepeatBounds { min, max })
        }
        _ => None,
    };
    Some((bounds, rest))
}

/// Parses a number without leading zeros. The inner `None` is for a number that is too large.
fn parse_number(pattern: &str) -> Option<(Option<u32>, &str)> {
    let length = pattern.bytes().take_while(u8::is_ascii_digit).count();
    let (digits, rest) = pattern.split_at(length);
    if digits.is_empty() || digits.len() > 1 && digits.starts_with('0') {
        return None;
    }
    let number = digits.parse().ok().filter(|number| *number <= MAX_REPEATS);
    Some((number, rest))
}
