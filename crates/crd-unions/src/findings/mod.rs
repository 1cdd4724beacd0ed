//! The mistakes in rules, each with an object that shows it and a rule to paste.

pub(crate) mod holes;
pub(crate) mod mistakes;
mod remedy;
mod sample;
pub(crate) mod small_value;
