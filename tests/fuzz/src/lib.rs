//! Generators of schemas, objects, patches and rules from the bytes of the fuzzer.
//!
//! Each byte decides one choice, so a fuzzer that changes one byte changes one choice. The choices
//! are mostly words that have a meaning to the code under test. After the last byte all choices are
//! 0, which always ends a list.

mod object;
mod rule;
mod schema;
mod source;

pub use object::{mutate, object, with_type_and_metadata};
pub use rule::rule;
pub use schema::{schema, union_schema};
pub use source::Source;
