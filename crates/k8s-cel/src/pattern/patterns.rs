//! Compiled patterns, and their searches.

use regex::{Match, Regex, RegexBuilder};
use regex_syntax::ParserBuilder;
use std::collections::HashMap;

use super::error::PatternError;
use super::error::{PatternErrorCode, Refused};
use super::translate::translate;
use super::weight::weight_of;

/// The maximum weight of a compiled pattern. `[\p{L}\p{N}]{1,253}`, a name of any letters, fits. Go
/// accepts more; nobody writes such a pattern by hand.
const LARGEST: u64 = LARGEST_IN_ALL;

/// The maximum weight of all patterns of a schema together.
pub const LARGEST_IN_ALL: u64 = 1_000_000;

/// The maximum number of levels of nested groups. Compiling takes stack for each level.
const DEEPEST: u32 = 250;

/// Compiles a pattern, to test whether a string has a match.
///
/// # Errors
///
/// Returns an error if the pattern is invalid or too large.
pub fn compile(pattern: &str) -> Result<Regex, PatternError> {
    let regex = prepare(pattern).and_then(|ready| build(pattern, &ready.text));
    regex.map_err(PatternError::from)
}

/// The patterns of a schema, whose total weight is bounded. A pattern that occurs several times
/// counts once, and is compiled once.
#[derive(Clone, Debug, Default)]
pub struct Patterns {
    weight: u64,
    known: HashMap<Box<str>, Result<Known, PatternError>>,
}

/// A pattern within the bound, before or after its compilation.
#[derive(Clone, Debug)]
enum Known {
    Ready(String),
    Compiled(Regex),
}

impl Patterns {
    /// Checks another pattern without compiling it.
    ///
    /// # Errors
    ///
    /// Returns an error if the pattern is invalid or too large, alone or together with the others.
    pub fn check(&mut self, pattern: &str) -> Result<(), PatternError> {
        self.known(pattern)
            .as_ref()
            .map(|_| ())
            .map_err(PatternError::clone)
    }

    /// Compiles another pattern.
    ///
    /// # Errors
    ///
    /// Returns an error if [`check`](Self::check) does.
    pub fn compile(&mut self, pattern: &str) -> Result<Regex, PatternError> {
        let known = self.known(pattern);
        let regex = match known {
            Ok(Known::Compiled(regex)) => return Ok(regex.clone()),
            Ok(Known::Ready(text)) => build(pattern, text).map_err(PatternError::from),
            Err(why) => return Err(why.clone()),
        };
        *known = regex.clone().map(Known::Compiled);
        regex
    }

    fn known(&mut self, pattern: &str) -> &mut Result<Known, PatternError> {
        let weight = &mut self.weight;
        self.known.entry(pattern.into()).or_insert_with(|| {
            let ready = prepare(pattern).and_then(|ready| {
                *weight = weight.saturating_add(ready.weight);
                if *weight > LARGEST_IN_ALL {
                    return Err(PatternErrorCode::Large.at(pattern));
                }
                Ok(Known::Ready(ready.text))
            });
            ready.map_err(PatternError::from)
        })
    }
}

/// A pattern that can be compiled.
struct Ready {
    text: String,
    weight: u64,
}

/// Translates a pattern, to test whether a string has a match.
fn prepare(pattern: &str) -> Result<Ready, Refused<'_>> {
    let translated = translate(pattern)?;
    let mut text = translated.text;
    if translated.by_characters {
        text = format!(r"\A(?s:.)*?(?:{text})");
    }
    let weight = weigh(pattern, &text)?;
    Ok(Ready { text, weight })
}

/// Returns the weight of a translated pattern.
fn weigh<'p>(pattern: &'p str, translated: &str) -> Result<u64, Refused<'p>> {
    let parsed = ParserBuilder::new()
        .nest_limit(DEEPEST)
        .build()
        .parse(translated);
    let weight = weight_of(&parsed.map_err(|_| PatternErrorCode::Nesting.at(pattern))?);
    if weight > LARGEST {
        return Err(PatternErrorCode::Large.at(pattern));
    }
    Ok(weight)
}

/// A compiled pattern that finds the positions of matches.
#[derive(Debug)]
pub(crate) struct Finder {
    regex: Regex,
    /// The weight of the pattern, a measure of the memory and time of its compilation.
    pub(crate) weight: u64,
    /// True if the match is a group: the match of the whole pattern begins where the search begins.
    by_characters: bool,
}

impl Finder {
    /// Compiles a pattern whose weight is at most `room`.
    ///
    /// # Errors
    ///
    /// Returns an error if the pattern is invalid or too heavy, with the message of Go.
    pub(crate) fn compile(pattern: &str, room: u64) -> Result<Self, String> {
        let compiled = translate(pattern).and_then(|translated| {
            let by_characters = translated.by_characters;
            let mut text = translated.text;
            if by_characters {
                text = format!("(?s:.)*?({text})");
            }
            let weight = weigh(pattern, &text)?;
            if weight > room {
                return Err(PatternErrorCode::Large.at(pattern));
            }
            Ok(Self {
                regex: build(pattern, &text)?,
                weight,
                by_characters,
            })
        });
        compiled.map_err(|refused| format!("error parsing regexp: {refused}"))
    }

    pub(crate) fn is_match(&self, text: &str) -> bool {
        self.regex.is_match(text)
    }

    /// Returns the first match that begins at a position or later.
    pub(crate) fn find_at<'t>(&self, text: &'t str, at: usize) -> Option<Match<'t>> {
        if self.by_characters {
            return self.regex.captures_at(text, at)?.get(1);
        }
        self.regex.find_at(text, at)
    }

    /// Returns all matches, from left to right. An empty match does not count at the end of another
    /// match.
    pub(crate) fn find_all<'a, 't>(
        &'a self,
        text: &'t str,
    ) -> impl Iterator<Item = &'t str> + use<'a, 't> {
        let mut next = Some(0);
        let mut last_end = None;
        core::iter::from_fn(move || {
            loop {
                let at = next?;
                let found = self.find_at(text, at)?;
                next = if found.end() > at {
                    Some(found.end())
                } else {
                    let after = text.get(at..).and_then(|rest| rest.chars().next());
                    after.map(|c| at + c.len_utf8())
                };
                let is_new = !found.is_empty() || last_end != Some(found.start());
                last_end = Some(found.end());
                if is_new {
                    return Some(found.as_str());
                }
            }
        })
    }
}

/// The maximum memory of a compiled pattern. Patterns with too large a weight are rejected before.
const MOST_MEMORY: usize = 64 << 20;

fn build<'p>(pattern: &'p str, translated: &str) -> Result<Regex, Refused<'p>> {
    let built = RegexBuilder::new(translated)
        .size_limit(MOST_MEMORY)
        .nest_limit(DEEPEST)
        .build();
    built.map_err(|error| {
        let problem = match error {
            regex::Error::CompiledTooBig(_) => PatternErrorCode::Large,
            _ => PatternErrorCode::Nesting,
        };
        problem.at(pattern)
    })
}
