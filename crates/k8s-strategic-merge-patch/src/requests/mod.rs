//! The public operations: apply, diff, three-way, compose, and the preconditions of a finished
//! patch.

mod list_changes;
mod operations;
mod pairs;
pub(crate) mod precondition;
mod shared_group;
pub(crate) mod shared_keys;
mod shared_list;
mod three_way;
