//! The switch of a union to another member, and the owners of the fields that it removes.

mod json_merge_patch;
pub(crate) mod list_element;
pub(crate) mod member_switch;
pub(crate) mod member_switch_error;
pub(crate) mod owner;
pub(crate) mod switch;
pub(crate) mod union_path;
