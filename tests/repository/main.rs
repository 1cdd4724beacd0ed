//! Tests of the repository itself: the folders of crates, the pages, and the statements that name
//! tests.

mod documents;
mod statements;
mod structure;
