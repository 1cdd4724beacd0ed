//! Unions that are read from the rules of others.

mod shared;
mod sound;
