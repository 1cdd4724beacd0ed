//! The difference of two objects or lists, as a patch.

pub(crate) mod diff;
pub(crate) mod diff_list;
