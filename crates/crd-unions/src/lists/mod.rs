//! The rules of lists: statements about several items together.

pub(crate) mod item_relations;
pub(crate) mod list_rules;
mod representative_items;
