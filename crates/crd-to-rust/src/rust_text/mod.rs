//! Rust from texts of other people: names and doc comments.

pub(crate) mod doc_comments;
pub(crate) mod names;
