//! The JSON value of a document, and the duplicate keys in its maps.

mod build;
mod duplicate_key;

pub(crate) use build::{build, build_with_duplicates};
pub use duplicate_key::{DuplicateKey, PathStep};
