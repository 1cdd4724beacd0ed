//! Regular expressions as an API server reads them: in the syntax of Go's RE2, which is not that of the regex crate.
//!
//! A pattern is translated: what Go refuses is refused in Go's words, and what means something else here is written in
//! another way. Captures and greediness are dropped, as only whether there is a match is ever asked.

mod class;
mod error;
mod escape;
mod group;
mod repeat;
mod translate;
mod unicode;

#[cfg(test)]
mod tests;

use regex::{Regex, RegexBuilder};

use self::error::{Problem, Refused};

/// How much memory a compiled pattern may take. Go takes more; a pattern that needs it was not written by hand.
const LARGEST: usize = 10 << 20;

/// How many groups may stand in one another. Compiling takes stack for each.
const DEEPEST: u32 = 250;

/// Compiles a pattern.
///
/// # Errors
///
/// What is wrong with it, as an API server words it.
pub fn compile(pattern: &str) -> Result<Regex, String> {
    translate::translate(pattern)
        .and_then(|translated| build(pattern, &translated))
        .map_err(|refused| {
            format!(
                "must be a valid regular expression, but isn't: error parsing regexp: {refused}"
            )
        })
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
