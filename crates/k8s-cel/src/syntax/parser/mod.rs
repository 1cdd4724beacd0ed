//! The parser of tokens to a tree.

mod parser;
mod primary;

pub use self::parser::parse;
