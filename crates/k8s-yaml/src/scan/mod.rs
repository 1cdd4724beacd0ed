//! The tokens of a document, as YAML 1.1 and libyaml have them.
//!
//! A key without `?` is recognized only at its `:`, up to 1,024 characters later in the same line.
//! Until then, its tokens wait in a queue, where a token for the key is inserted before them.

mod block;
mod cursor;
mod key;
mod names;
mod plain;
mod quoted;
mod scanner;
mod token;

pub(crate) use scanner::Scanner;
pub(crate) use token::Kind;
