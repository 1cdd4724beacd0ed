//! Unions that are read from the rules of others.

mod forms;
mod shared;
mod sound;
