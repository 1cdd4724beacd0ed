//! Compiled patterns, and searches for their matches.

use regex::{Match, Regex, RegexBuilder};
use regex_syntax::ParserBuilder;
use std::collections::HashMap;

use super::error::PatternError;
use super::error::{PatternErrorCode, SyntaxError};
use super::size::pattern_size;
use super::translate::translate;

/// The maximum compiled size of a pattern. Go accepts larger patterns. The limit allows a pattern
/// of names in any script, `[\p{L}\p{N}]{1,253}`.
const MAX_SIZE: u64 = MAX_TOTAL_SIZE;

/// The maximum total compiled size of all patterns of a schema. The compiled size of a pattern is
/// approximately the number of its transitions.
pub const MAX_TOTAL_SIZE: u64 = 1_000_000;

/// The maximum nesting of groups. The regex crate compiles groups recursively.
const MAX_DEPTH: u32 = 250;

/// Compiles a pattern to a regular expression that tests whether a string has a match.
///
/// # Errors
///
/// Returns an error if the pattern is invalid or too large.
pub fn compile(pattern: &str) -> Result<Regex, PatternError> {
    let regex = translate_and_measure(pattern).and_then(|sized| build(pattern, &sized.source));
    regex.map_err(PatternError::from)
}

/// The patterns of a schema, whose total compiled size is limited. A pattern that occurs several
/// times counts once, and is compiled once.
#[derive(Clone, Debug, Default)]
pub struct PatternSet {
    size: u64,
    entries: HashMap<Box<str>, Result<PatternEntry, PatternError>>,
}

/// A pattern within the limit, before or after its compilation.
#[derive(Clone, Debug)]
enum PatternEntry {
    Translated(String),
    Compiled(Regex),
}

impl PatternSet {
    /// Adds a pattern to the set without compiling it.
    ///
    /// # Errors
    ///
    /// Returns an error if the pattern is invalid or too large, or if the patterns of the set are
    /// too large together.
    pub fn reserve(&mut self, pattern: &str) -> Result<(), PatternError> {
        self.entry(pattern)
            .as_ref()
            .map(|_| ())
            .map_err(PatternError::clone)
    }

    /// Adds a pattern to the set, and compiles it.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`reserve`](Self::reserve).
    pub fn compile(&mut self, pattern: &str) -> Result<Regex, PatternError> {
        let entry = self.entry(pattern);
        let regex = match entry {
            Ok(PatternEntry::Compiled(regex)) => return Ok(regex.clone()),
            Ok(PatternEntry::Translated(source)) => {
                build(pattern, source).map_err(PatternError::from)
            }
            Err(error) => return Err(error.clone()),
        };
        *entry = regex.clone().map(PatternEntry::Compiled);
        regex
    }

    /// Returns the entry of a pattern, and adds it first if needed.
    fn entry(&mut self, pattern: &str) -> &mut Result<PatternEntry, PatternError> {
        let size = &mut self.size;
        self.entries.entry(pattern.into()).or_insert_with(|| {
            let sized = translate_and_measure(pattern).and_then(|sized| {
                *size = size.saturating_add(sized.size);
                if *size > MAX_TOTAL_SIZE {
                    return Err(PatternErrorCode::Large.error_at(pattern));
                }
                Ok(PatternEntry::Translated(sized.source))
            });
            sized.map_err(PatternError::from)
        })
    }
}

/// A translated pattern, and its compiled size.
struct SizedPattern {
    source: String,
    size: u64,
}

/// Translates a pattern to a regular expression that tests whether a string has a match, and
/// computes its compiled size.
fn translate_and_measure(pattern: &str) -> Result<SizedPattern, SyntaxError<'_>> {
    let translated = translate(pattern)?;
    let mut source = translated.source;
    if translated.searches_by_character {
        // The prefix advances the search by characters instead of bytes.
        source = format!(r"\A(?s:.)*?(?:{source})");
    }
    let size = checked_size(pattern, &source)?;
    Ok(SizedPattern { source, size })
}

/// Returns the compiled size of a translated pattern, or an error if the size exceeds the limit.
fn checked_size<'p>(pattern: &'p str, translated: &str) -> Result<u64, SyntaxError<'p>> {
    let parsed = ParserBuilder::new()
        .nest_limit(MAX_DEPTH)
        .build()
        .parse(translated);
    let size = pattern_size(&parsed.map_err(|_| PatternErrorCode::NestingDepth.error_at(pattern))?);
    if size > MAX_SIZE {
        return Err(PatternErrorCode::Large.error_at(pattern));
    }
    Ok(size)
}

/// A compiled pattern that finds the positions of matches.
#[derive(Debug)]
pub(crate) struct Matcher {
    regex: Regex,
    /// The compiled size, which measures the memory and the time of the compilation.
    pub(crate) size: u64,
    /// True if the search proceeds character by character: a prefix of the regular expression
    /// matches the skipped characters, and the first group is the match.
    searches_by_character: bool,
}

impl Matcher {
    /// Compiles a pattern whose compiled size is at most `max_size`.
    ///
    /// # Errors
    ///
    /// Returns Go's message if the pattern is invalid or too large.
    pub(crate) fn compile(pattern: &str, max_size: u64) -> Result<Self, String> {
        let compiled = translate(pattern).and_then(|translated| {
            let searches_by_character = translated.searches_by_character;
            let mut source = translated.source;
            if searches_by_character {
                source = format!("(?s:.)*?({source})");
            }
            let size = checked_size(pattern, &source)?;
            if size > max_size {
                return Err(PatternErrorCode::Large.error_at(pattern));
            }
            Ok(Self {
                regex: build(pattern, &source)?,
                size,
                searches_by_character,
            })
        });
        compiled.map_err(|error| format!("error parsing regexp: {error}"))
    }

    pub(crate) fn is_match(&self, string: &str) -> bool {
        self.regex.is_match(string)
    }

    /// Returns the first match at or after a byte position.
    pub(crate) fn find_at<'t>(&self, string: &'t str, start: usize) -> Option<Match<'t>> {
        if self.searches_by_character {
            return self.regex.captures_at(string, start)?.get(1);
        }
        self.regex.find_at(string, start)
    }

    /// Returns all matches from left to right. As in Go, an empty match directly after another
    /// match is omitted.
    pub(crate) fn find_all<'a, 't>(
        &'a self,
        string: &'t str,
    ) -> impl Iterator<Item = &'t str> + use<'a, 't> {
        let mut next = Some(0);
        let mut last_end = None;
        core::iter::from_fn(move || {
            loop {
                let start = next?;
                let match_ = self.find_at(string, start)?;
                next = if match_.end() > start {
                    Some(match_.end())
                } else {
                    let next_char = string.get(start..).and_then(|rest| rest.chars().next());
                    next_char.map(|c| start + c.len_utf8())
                };
                let is_new = !match_.is_empty() || last_end != Some(match_.start());
                last_end = Some(match_.end());
                if is_new {
                    return Some(match_.as_str());
                }
            }
        })
    }
}

/// The maximum memory of a compiled pattern, in bytes. A pattern exceeds [`MAX_SIZE`] before it
/// reaches this limit of the regex crate.
const MAX_MEMORY: usize = 64 << 20;

/// Compiles a translated pattern. `pattern` is the original, which errors contain.
fn build<'p>(pattern: &'p str, translated: &str) -> Result<Regex, SyntaxError<'p>> {
    let regex = RegexBuilder::new(translated)
        .size_limit(MAX_MEMORY)
        .nest_limit(MAX_DEPTH)
        .build();
    regex.map_err(|error| {
        let code = match error {
            regex::Error::CompiledTooBig(_) => PatternErrorCode::Large,
            _ => PatternErrorCode::NestingDepth,
        };
        code.error_at(pattern)
    })
}
