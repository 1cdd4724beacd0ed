//! Parses tokens to a syntax tree.

mod parser;
mod primary;

pub use self::parser::parse;
pub(crate) use self::parser::parse_rule;
