//! Unions that are read from third-party rules.

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
