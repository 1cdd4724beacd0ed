//! Tests of the rules of unions, on Rust types and on the same types as JSON: normalization,
//! validation and tolerated errors.
//!
//! A file here has the name of the file of `union-runtime/src/rules` that it tests. `unions` has
//! the types, and the tests of a single kind of union.

mod judge;
mod normalize;
mod requests;
mod settings;
mod union;
mod unions;
mod validate;
