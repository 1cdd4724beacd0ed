//! The public operations: apply, diff, three-way, compose, and what a finished patch must meet.

pub(crate) mod precondition;
mod three_way;
