//! Findings: missing and wrong rules, each with an object that demonstrates it and a remedy.

pub(crate) mod example_value;
pub(crate) mod missing_rules;
mod remedy;
mod sample;
pub(crate) mod wrong_rules;
