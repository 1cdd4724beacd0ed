//! The public data of an analysis: unions, and findings about the rules.

pub(crate) mod analysis;
mod arity;
pub(crate) mod error;
pub(crate) mod finding;
pub(crate) mod serialize;
