//! The merge of a patch into an object, and the order of merged lists.

pub(crate) mod arrange;
pub(crate) mod directive;
mod insert;
mod list;
pub(crate) mod merge;
pub(crate) mod names;
pub(crate) mod order;
mod sort;
