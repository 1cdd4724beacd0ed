//! Tests of the repository itself: the folders of crates, comments, the pages, and the statements
//! that name tests.

mod comments;
mod documents;
mod statements;
mod structure;
