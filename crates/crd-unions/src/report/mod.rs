//! The data of a reading: unions, and findings about the rules.

pub(crate) mod error;
pub(crate) mod finding;
pub(crate) mod reading;
pub(crate) mod serialize;
