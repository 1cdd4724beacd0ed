//! Tests of the analysis: unions, findings and list rules of third-party CRDs.

mod bounded;
mod evaluator;
mod findings;
mod forms;
mod judged;
mod lists;
mod random_rules;
mod readings;
mod shared;
mod sound;
