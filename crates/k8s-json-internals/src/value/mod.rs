//! Copies, compares and indexes JSON values.

pub mod deep;
pub mod digest;
pub mod element_index;
pub mod entry;
pub mod equality;
pub mod key;
pub mod names;
pub mod non_string;
pub mod rows;
