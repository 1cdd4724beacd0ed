//! The public operations: apply, diff, three-way, compose, and the preconditions of a finished
//! patch.

pub(crate) mod precondition;
mod three_way;
