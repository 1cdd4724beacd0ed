//! The rules of lists: statements about several items together.

mod items;
pub(crate) mod lists;
pub(crate) mod together;
