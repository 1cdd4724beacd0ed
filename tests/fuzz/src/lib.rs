//! From the fuzzer's bytes to input that gets far: schemas, objects, patches, rules.
//!
//! A byte chooses, so that a fuzzer which changes one byte changes one choice. What it is offered are the words that mean
//! something to the code under test; what it makes of them is its own affair. Where the bytes end, all choices are 0, which
//! is the end of a list everywhere.

mod object;
mod rule;
mod schema;
mod source;

pub use object::{change, object};
pub use rule::rule;
pub use schema::{schema, union_schema};
pub use source::Source;
