//! The merge of a patch into an object, and the order of merged lists.

pub(crate) mod directive;
pub(crate) mod directive_names;
mod list;
pub(crate) mod merge;
pub(crate) mod merge_order;
pub(crate) mod merge_target;
pub(crate) mod set_element_order;
mod sort;
pub(crate) mod strip_directives;
