//! Tests of the rules of unions, on Rust types and on the same types as JSON: normalization,
//! validation and tolerated errors.
//!
//! A file here has the name of the tested file in `union-runtime/src/rules`. `unions` contains the
//! types, and the tests of a single kind of union.

mod judge;
mod normalize;
mod requests;
mod settings;
mod union;
mod unions;
mod validate;
