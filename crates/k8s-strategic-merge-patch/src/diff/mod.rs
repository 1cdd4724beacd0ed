//! The difference of two objects or lists, as a patch.

pub(crate) mod diff;
mod diff_list;
