//! Unions that are read from the rules of others.

mod bounded;
mod forms;
mod random_rules;
mod shared;
mod sound;
