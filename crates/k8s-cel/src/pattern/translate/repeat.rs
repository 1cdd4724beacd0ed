//! Repetitions. No part may be repeated more than 1000 times, counted through all groups.

use core::fmt::Write as _;

use super::translator::Translator;
use crate::pattern::error::{PatternErrorCode, SyntaxError, prefix_before, tail};

const MAX_REPEATS: u32 = 1000;

/// The minimum and the maximum of a repetition. `None` is a repetition without a maximum.
#[derive(Clone, Copy)]
struct RepeatBounds {
    min: u32,
    max: Option<u32>,
}

impl<'p> Translator<'p> {
    pub(super) fn simple_repeat(
        &mut self,
        sign: char,
        last_repeat: Option<&'p str>,
    ) -> Result<(), SyntaxError<'p>> {
        let start = self.rest;
        let (_, lazy) = self.check_repeat(start, tail(start), last_repeat)?;
        // A question mark would make the sign before it lazy.
        self.out.push_str(match sign {
            '*' => "*",
            '+' => "+",
            _ => "{0,1}",
        });
        self.out.push_str(lazy);
        Ok(())
    }

    /// Reads a brace. Without a count after it, the brace is a literal.
    pub(super) fn counted_repeat(
        &mut self,
        last_repeat: Option<&'p str>,
    ) -> Result<(), SyntaxError<'p>> {
        self.charge(1)?;
        let start = self.rest;
        let Some((times, rest)) = parse_bounds(tail(start)) else {
            self.rest = tail(start);
            self.push_literal('{');
            return Ok(());
        };
        let Some(times) = times else {
            return Err(PatternErrorCode::InvalidRepeatSize.error_at(prefix_before(start, rest)));
        };
        let (weight, lazy) = self.check_repeat(start, rest, last_repeat)?;
        let weight = times.innermost_repeats(weight);
        if times.is_counted() && weight > MAX_REPEATS {
            return Err(
                PatternErrorCode::InvalidRepeatSize.error_at(prefix_before(start, self.rest))
            );
        }
        self.atom = Some(weight);
        self.max_repeats = self.max_repeats.max(weight);
        let RepeatBounds { min, max } = times;
        // Writing to a String cannot fail.
        let _ = match max {
            Some(max) => write!(self.out, "{{{min},{max}}}{lazy}"),
            None => write!(self.out, "{{{min},}}{lazy}"),
        };
        Ok(())
    }

    /// Skips a repetition and the mark that makes it lazy. Returns the weight of the repeated part,
    /// and the mark if the repetition is lazy.
    fn check_repeat(
        &mut self,
        start: &'p str,
        rest: &'p str,
        last_repeat: Option<&'p str>,
    ) -> Result<(u32, &'static str), SyntaxError<'p>> {
        let (is_marked, rest) = match rest.strip_prefix('?') {
            Some(rest) => (true, rest),
            None => (false, rest),
        };
        if let Some(last) = last_repeat {
            return Err(PatternErrorCode::InvalidRepeatOp.error_at(prefix_before(last, rest)));
        }
        let Some(weight) = self.atom else {
            return Err(
                PatternErrorCode::MissingRepeatArgument.error_at(prefix_before(start, rest))
            );
        };
        self.rest = rest;
        self.last_repeat = Some(start);
        let is_lazy = is_marked != self.flags.ungreedy;
        Ok((weight, if is_lazy { "?" } else { "" }))
    }
}

impl RepeatBounds {
    /// Returns the number of repetitions of the innermost part. A part that is repeated zero times
    /// does not count.
    fn innermost_repeats(self, inner: u32) -> u32 {
        match self.max.unwrap_or(self.min) {
            0 if self.max.is_some() => 1,
            0 => inner,
            times => inner.saturating_mul(times),
        }
    }

    fn is_counted(self) -> bool {
        self.min >= 2 || self.max.is_some_and(|max| max >= 2)
    }
}

/// Reads the numbers between braces, and returns them with the rest. The inner `None` is for
/// numbers that are too large, or in the wrong order.
fn parse_bounds(text: &str) -> Option<(Option<RepeatBounds>, &str)> {
    let (min, rest) = parse_number(text)?;
    let (max, rest) = match rest.strip_prefix(',') {
        None => (min.map(Some), rest),
        Some(rest) if rest.starts_with('}') => (Some(None), rest),
        Some(rest) => {
            let (max, rest) = parse_number(rest)?;
            (max.map(Some), rest)
        }
    };
    let rest = rest.strip_prefix('}')?;
    let times = match (min, max) {
        (Some(min), Some(max)) if max.is_none_or(|max| min <= max) => {
            Some(RepeatBounds { min, max })
        }
        _ => None,
    };
    Some((times, rest))
}

/// Reads a number without leading zeros. The inner `None` is for a number that is too large.
fn parse_number(text: &str) -> Option<(Option<u32>, &str)> {
    let length = text.bytes().take_while(u8::is_ascii_digit).count();
    let (digits, rest) = text.split_at(length);
    if digits.is_empty() || digits.len() > 1 && digits.starts_with('0') {
        return None;
    }
    let number = digits.parse().ok().filter(|number| *number <= MAX_REPEATS);
    Some((number, rest))
}
