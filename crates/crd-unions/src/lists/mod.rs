//! Rules of lists: relations between several items.

pub(crate) mod item_relations;
pub(crate) mod list_rules;
mod representative_items;
