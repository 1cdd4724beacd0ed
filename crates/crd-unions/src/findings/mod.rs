//! Findings: holes and mistakes in rules, each with an object that shows it and a correction.

pub(crate) mod holes;
pub(crate) mod mistakes;
mod remedy;
mod sample;
pub(crate) mod small_value;
