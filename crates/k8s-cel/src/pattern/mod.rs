//! Regular expressions as an API server reads them: in the syntax of Go's RE2, which is not that of the regex crate.
//!
//! A pattern is translated: what Go refuses is refused in Go's words, and what means something else here is written in
//! another way. Captures are dropped, as nobody asks for them.

mod error;
mod patterns;
mod translate;
mod weight;

#[cfg(test)]
mod tests;

pub use self::error::{PatternError, PatternErrorCode};
pub(crate) use self::patterns::Finder;
pub use self::patterns::{LARGEST_IN_ALL, Patterns, compile};
