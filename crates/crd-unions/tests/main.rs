//! Tests of the analysis: unions, findings and list rules of third-party CRDs.

mod bounded;
mod described_exclusions;
mod evaded_immutability;
mod evaluator;
mod findings;
mod forms;
mod lists;
mod nested_alternatives;
mod random_rules;
mod readings;
mod server_comparison;
mod shared;
mod sound;
