//! JSON values: copies, comparisons, counts, and lookups by keys and names.

pub mod deep;
pub mod digest;
pub mod element_index;
pub mod entry;
pub mod equality;
pub mod key;
pub mod names;
pub mod rows;
