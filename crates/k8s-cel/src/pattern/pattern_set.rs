//! Compiled patterns, and their searches.

use regex::{Match, Regex, RegexBuilder};
use regex_syntax::ParserBuilder;
use std::collections::HashMap;

use super::error::PatternError;
use super::error::{PatternErrorCode, SyntaxError};
use super::size::pattern_size;
use super::translate::translate;

/// The maximum weight of a compiled pattern. `[\p{L}\p{N}]{1,253}`, a name of any letters, fits. Go
/// accepts more; nobody writes such a pattern by hand.
const MAX_SIZE: u64 = MAX_TOTAL_SIZE;

/// The maximum weight of all patterns of a schema together.
pub const MAX_TOTAL_SIZE: u64 = 1_000_000;

/// The maximum number of levels of nested groups. Compiling takes stack for each level.
const MAX_DEPTH: u32 = 250;

/// Compiles a pattern, to test whether a string has a match.
///
/// # Errors
///
/// Returns an error if the pattern is invalid or too large.
pub fn compile(pattern: &str) -> Result<Regex, PatternError> {
    let regex = translate_and_measure(pattern).and_then(|ready| build(pattern, &ready.text));
    regex.map_err(PatternError::from)
}

/// The patterns of a schema, whose total weight is bounded. A pattern that occurs several times
/// counts once, and is compiled once.
#[derive(Clone, Debug, Default)]
pub struct PatternSet {
    size: u64,
    entries: HashMap<Box<str>, Result<PatternEntry, PatternError>>,
}

/// A pattern within the bound, before or after its compilation.
#[derive(Clone, Debug)]
enum PatternEntry {
    Translated(String),
    Compiled(Regex),
}

impl PatternSet {
    /// Checks another pattern without compiling it.
    ///
    /// # Errors
    ///
    /// Returns an error if the pattern is invalid or too large, alone or together with the others.
    pub fn reserve(&mut self, pattern: &str) -> Result<(), PatternError> {
        self.entry(pattern)
            .as_ref()
            .map(|_| ())
            .map_err(PatternError::clone)
    }

    /// Compiles another pattern.
    ///
    /// # Errors
    ///
    /// Returns an error if [`reserve`](Self::reserve) does.
    pub fn compile(&mut self, pattern: &str) -> Result<Regex, PatternError> {
        let known = self.entry(pattern);
        let regex = match known {
            Ok(PatternEntry::Compiled(regex)) => return Ok(regex.clone()),
            Ok(PatternEntry::Translated(text)) => build(pattern, text).map_err(PatternError::from),
            Err(why) => return Err(why.clone()),
        };
        *known = regex.clone().map(PatternEntry::Compiled);
        regex
    }

    fn entry(&mut self, pattern: &str) -> &mut Result<PatternEntry, PatternError> {
        let weight = &mut self.size;
        self.entries.entry(pattern.into()).or_insert_with(|| {
            let ready = translate_and_measure(pattern).and_then(|ready| {
                *weight = weight.saturating_add(ready.size);
                if *weight > MAX_TOTAL_SIZE {
                    return Err(PatternErrorCode::Large.error_at(pattern));
                }
                Ok(PatternEntry::Translated(ready.text))
            });
            ready.map_err(PatternError::from)
        })
    }
}

/// A pattern that can be compiled.
struct SizedPattern {
    text: String,
    size: u64,
}

/// Translates a pattern, to test whether a string has a match.
fn translate_and_measure(pattern: &str) -> Result<SizedPattern, SyntaxError<'_>> {
    let translated = translate(pattern)?;
    let mut text = translated.text;
    if translated.by_characters {
        text = format!(r"\A(?s:.)*?(?:{text})");
    }
    let weight = checked_size(pattern, &text)?;
    Ok(SizedPattern { text, size: weight })
}

/// Returns the weight of a translated pattern.
fn checked_size<'p>(pattern: &'p str, translated: &str) -> Result<u64, SyntaxError<'p>> {
    let parsed = ParserBuilder::new()
        .nest_limit(MAX_DEPTH)
        .build()
        .parse(translated);
    let weight =
        pattern_size(&parsed.map_err(|_| PatternErrorCode::NestingDepth.error_at(pattern))?);
    if weight > MAX_SIZE {
        return Err(PatternErrorCode::Large.error_at(pattern));
    }
    Ok(weight)
}

/// A compiled pattern that finds the positions of matches.
#[derive(Debug)]
pub(crate) struct Matcher {
    regex: Regex,
    /// The weight of the pattern, a measure of the memory and time of its compilation.
    pub(crate) size: u64,
    /// True if the match is a group: the match of the whole pattern begins where the search begins.
    by_characters: bool,
}

impl Matcher {
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
            let weight = checked_size(pattern, &text)?;
            if weight > room {
                return Err(PatternErrorCode::Large.error_at(pattern));
            }
            Ok(Self {
                regex: build(pattern, &text)?,
                size: weight,
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
const MAX_MEMORY: usize = 64 << 20;

fn build<'p>(pattern: &'p str, translated: &str) -> Result<Regex, SyntaxError<'p>> {
    let built = RegexBuilder::new(translated)
        .size_limit(MAX_MEMORY)
        .nest_limit(MAX_DEPTH)
        .build();
    built.map_err(|error| {
        let problem = match error {
            regex::Error::CompiledTooBig(_) => PatternErrorCode::Large,
            _ => PatternErrorCode::NestingDepth,
        };
        problem.error_at(pattern)
    })
}
