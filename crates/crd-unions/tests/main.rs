//! Unions that are read from the rules of others.

mod bounded;
mod findings;
mod forms;
mod random_rules;
mod readings;
mod shared;
mod sound;
