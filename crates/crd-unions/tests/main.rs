//! Tests of the analysis: unions, findings and list rules of third-party CRDs.

mod bounded;
mod evaluator;
mod findings;
mod forms;
mod lists;
mod random_rules;
mod readings;
mod server_comparison;
mod shared;
mod sound;
