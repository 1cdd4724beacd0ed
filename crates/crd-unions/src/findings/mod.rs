//! Findings: missing and wrong rules, each with an object that demonstrates it and a remedy.

pub(crate) mod described_exclusions;
pub(crate) mod evaded_immutability;
pub(crate) mod example_value;
pub(crate) mod missing_rules;
pub(crate) mod nested_alternatives;
mod remedy;
mod sample;
pub(crate) mod wording;
pub(crate) mod wrong_rules;
