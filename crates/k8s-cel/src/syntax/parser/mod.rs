//! The parser of tokens to a tree.

mod parser;
mod primary;

pub use self::parser::parse;
pub(crate) use self::parser::parse_rule;
