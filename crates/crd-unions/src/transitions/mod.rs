//! Transition rules: immutability that an update can evade by removing a value and setting it anew.

pub(crate) mod cel_types;
pub(crate) mod evasions;
pub(crate) mod rule;
pub(crate) mod schema_tree;
pub(crate) mod values;
