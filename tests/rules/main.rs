//! The rules of unions, on Rust types and on the same types as JSON: what is normalized,
//! validated and tolerated. A file here has the name of the file of `union-runtime/src/rules` that it
//! tests; `unions` has the types, and the tests of what is special about a kind of union.

mod admit;
mod judge;
mod normalize;
mod requests;
mod settings;
mod unions;
mod validate;
