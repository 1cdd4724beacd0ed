//! Tests of the repository itself: the folders of crates, cargo's builds, comments, the pages, and
//! the statements that name tests.

mod builds;
mod comments;
mod documents;
mod statements;
mod structure;
