//! Converts strings of CRDs to Rust identifiers and doc comments.

pub(crate) mod doc_comments;
pub(crate) mod identifiers;
