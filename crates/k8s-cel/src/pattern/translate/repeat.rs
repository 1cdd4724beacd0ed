//! Repetitions. No part may be repeated more than 1000 times, counted through all groups.

use core::fmt::Write as _;

use super::translator::Translator;
use crate::pattern::error::{PatternErrorCode, Refused, tail, up_to};

const MOST: u32 = 1000;

/// The minimum and the maximum of a repetition. `None` is a repetition without a maximum.
#[derive(Clone, Copy)]
struct Times {
    min: u32,
    max: Option<u32>,
}

impl<'p> Translator<'p> {
    pub(super) fn simple_repeat(
        &mut self,
        sign: char,
        last_repeat: Option<&'p str>,
    ) -> Result<(), Refused<'p>> {
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
    ) -> Result<(), Refused<'p>> {
        self.pay(1)?;
        let start = self.rest;
        let Some((times, rest)) = read_times(tail(start)) else {
            self.rest = tail(start);
            self.literal('{');
            return Ok(());
        };
        let Some(times) = times else {
            return Err(PatternErrorCode::RepeatCount.at(up_to(start, rest)));
        };
        let (weight, lazy) = self.check_repeat(start, rest, last_repeat)?;
        let weight = times.weight(weight);
        if times.is_counted() && weight > MOST {
            return Err(PatternErrorCode::RepeatCount.at(up_to(start, self.rest)));
        }
        self.atom = Some(weight);
        self.heaviest = self.heaviest.max(weight);
        let Times { min, max } = times;
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
    ) -> Result<(u32, &'static str), Refused<'p>> {
        let (is_marked, rest) = match rest.strip_prefix('?') {
            Some(rest) => (true, rest),
            None => (false, rest),
        };
        if let Some(last) = last_repeat {
            return Err(PatternErrorCode::NestedRepeat.at(up_to(last, rest)));
        }
        let Some(weight) = self.atom else {
            return Err(PatternErrorCode::MissingArgument.at(up_to(start, rest)));
        };
        self.rest = rest;
        self.last_repeat = Some(start);
        let is_lazy = is_marked != self.flags.ungreedy;
        Ok((weight, if is_lazy { "?" } else { "" }))
    }
}

impl Times {
    /// Returns the number of repetitions of the innermost part. A part that is repeated zero times
    /// does not count.
    fn weight(self, inner: u32) -> u32 {
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
fn read_times(text: &str) -> Option<(Option<Times>, &str)> {
    let (min, rest) = read_number(text)?;
    let (max, rest) = match rest.strip_prefix(',') {
        None => (min.map(Some), rest),
        Some(rest) if rest.starts_with('}') => (Some(None), rest),
        Some(rest) => {
            let (max, rest) = read_number(rest)?;
            (max.map(Some), rest)
        }
    };
    let rest = rest.strip_prefix('}')?;
    let times = match (min, max) {
        (Some(min), Some(max)) if max.is_none_or(|max| min <= max) => Some(Times { min, max }),
        _ => None,
    };
    Some((times, rest))
}

/// Reads a number without leading zeros. The inner `None` is for a number that is too large.
fn read_number(text: &str) -> Option<(Option<u32>, &str)> {
    let length = text.bytes().take_while(u8::is_ascii_digit).count();
    let (digits, rest) = text.split_at(length);
    if digits.is_empty() || digits.len() > 1 && digits.starts_with('0') {
        return None;
    }
    let number = digits.parse().ok().filter(|number| *number <= MOST);
    Some((number, rest))
}
