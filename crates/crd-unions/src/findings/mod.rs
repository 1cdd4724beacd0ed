//! Findings: holes and mistakes in rules, each with an object that shows it and a correction.

pub(crate) mod example_value;
pub(crate) mod missing_rules;
mod remedy;
mod sample;
pub(crate) mod wrong_rules;
