//! The scanner, which creates the same tokens from a document as libyaml.
//!
//! A key without `?` is recognized only at its `:`, up to 1,024 characters later in the same line.
//! Until then, its tokens are in a queue. If a `:` follows, a key token is inserted before them.

mod block;
mod cursor;
mod names;
mod plain;
mod quoted;
mod scanner;
mod simple_key;
mod token;

pub(crate) use scanner::Scanner;
pub(crate) use token::TokenKind;
