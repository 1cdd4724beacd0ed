//! Rust names and doc comments from strings of CRDs.

pub(crate) mod doc_comments;
pub(crate) mod identifiers;
