//! Repetitions. Nothing may be repeated more than 1000 times, counted through all groups.

use core::fmt::Write as _;

use super::translator::Translator;
use crate::pattern::error::{PatternErrorCode, Refused, tail, up_to};

const MOST: u32 = 1000;

/// How often: from, and to; without an end if that is `None`.
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
        // A question mark would make the one before it lazy.
        self.out.push_str(match sign {
            '*' => "*",
            '+' => "+",
            _ => "{0,1}",
        });
        self.out.push_str(lazy);
        Ok(())
    }

    /// A brace. If no count follows, it is a brace.
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

    /// Goes on after a repetition and the mark that makes it lazy. Returns the weight of what is repeated, and the mark if it is lazy.
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
    /// How often the inmost part is repeated. What stands there no time at all is not counted.
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

/// What stands between braces, and what follows. The inner `None` says that the numbers are too large, or in the wrong
/// order.
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

/// A number without leading zeros; the inner `None` says that it is too large.
fn read_number(text: &str) -> Option<(Option<u32>, &str)> {
    let length = text.bytes().take_while(u8::is_ascii_digit).count();
    let (digits, rest) = text.split_at(length);
    if digits.is_empty() || digits.len() > 1 && digits.starts_with('0') {
        return None;
    }
    let number = digits.parse().ok().filter(|number| *number <= MOST);
    Some((number, rest))
}
