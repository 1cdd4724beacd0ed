//! Parses tokens to a syntax tree.

mod parser;
mod primary;

pub use self::parser::parse;
