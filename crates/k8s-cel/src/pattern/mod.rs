//! Regular expressions in the syntax of Go's RE2, which an API server uses and which differs from
//! the syntax of the regex crate.
//!
//! This module translates patterns to the syntax of the regex crate. It rejects the patterns that
//! Go rejects, with Go's messages, and rewrites syntax that has another meaning in the regex crate.
//! It drops captures, because no caller needs them.

mod error;
mod pattern_set;
mod size;
mod translate;

#[cfg(test)]
mod tests;

pub use self::error::{PatternError, PatternErrorCode};
pub(crate) use self::pattern_set::Matcher;
pub use self::pattern_set::{MAX_TOTAL_SIZE, PatternSet, compile};
