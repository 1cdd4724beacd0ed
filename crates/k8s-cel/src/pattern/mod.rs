//! Regular expressions as an API server reads them: in the syntax of Go's RE2, which is not that of the regex crate.
//!
//! A pattern is translated: what Go refuses is refused in Go's words, and what means something else here is written in
//! another way. Captures are dropped, as nobody asks for them.

mod class;
mod error;
mod escape;
mod group;
mod repeat;
mod translate;
mod unicode;

#[cfg(test)]
mod tests;

use regex::{Match, Regex, RegexBuilder};

use self::error::{Problem, Refused};
use self::translate::translate;

/// How much memory a compiled pattern may take. Go takes more; a pattern that needs it was not written by hand.
const LARGEST: usize = 10 << 20;

/// How many groups may stand in one another. Compiling takes stack for each.
const DEEPEST: u32 = 250;

/// Compiles a pattern, for the question whether a text has a match.
///
/// # Errors
///
/// What is wrong with it, as an API server words it.
pub fn compile(pattern: &str) -> Result<Regex, String> {
    let compiled = translate(pattern).and_then(|translated| {
        let text = translated.text;
        if translated.by_characters {
            return build(pattern, &format!(r"\A(?s:.)*?(?:{text})"));
        }
        build(pattern, &text)
    });
    compiled.map_err(|refused| {
        format!("must be a valid regular expression, but isn't: error parsing regexp: {refused}")
    })
}

/// A compiled pattern that says where its matches are.
#[derive(Debug)]
pub(crate) struct Finder {
    regex: Regex,
    /// Whether the match is a group of what is found, which begins where the search does.
    by_characters: bool,
}

impl Finder {
    /// Compiles a pattern.
    ///
    /// # Errors
    ///
    /// What is wrong with it, as Go words it.
    pub(crate) fn compile(pattern: &str) -> Result<Self, String> {
        let compiled = translate(pattern).and_then(|translated| {
            let text = translated.text;
            let by_characters = translated.by_characters;
            let regex = if by_characters {
                build(pattern, &format!("(?s:.)*?({text})"))
            } else {
                build(pattern, &text)
            };
            Ok(Self {
                regex: regex?,
                by_characters,
            })
        });
        compiled.map_err(|refused| format!("error parsing regexp: {refused}"))
    }

    pub(crate) fn is_match(&self, text: &str) -> bool {
        self.regex.is_match(text)
    }

    /// The first match that begins at that place or later.
    pub(crate) fn find_at<'t>(&self, text: &'t str, at: usize) -> Option<Match<'t>> {
        if self.by_characters {
            return self.regex.captures_at(text, at)?.get(1);
        }
        self.regex.find_at(text, at)
    }

    /// All matches, one after the other. What is empty is none where another one ends.
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

fn build<'p>(pattern: &'p str, translated: &str) -> Result<Regex, Refused<'p>> {
    let built = RegexBuilder::new(translated)
        .size_limit(LARGEST)
        .nest_limit(DEEPEST)
        .build();
    built.map_err(|error| {
        let problem = match error {
            regex::Error::CompiledTooBig(_) => Problem::Large,
            _ => Problem::Nesting,
        };
        problem.at(pattern)
    })
}
