//! The public operations: apply, diff, three-way, compose, and the preconditions of a finished
//! patch.

mod operations;
pub(crate) mod precondition;
