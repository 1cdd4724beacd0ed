//! Copies, compares and indexes JSON values.

pub mod deep;
pub mod digest;
pub mod element_index;
pub mod entry;
pub mod equality;
pub mod free_json;
pub mod key;
pub mod names;
pub mod non_string;
pub mod path_step;
pub mod printed_path;
pub mod rows;
pub mod schema_keywords;
