//! JSON values: copied, compared, counted, and found by their keys and names.

pub mod deep;
pub mod digest;
pub mod equality;
pub mod key;
pub mod keyed;
pub mod names;
pub mod rows;
