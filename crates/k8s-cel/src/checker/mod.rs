//! Checks the types of an expression and makes a program of it, with an estimate of what that costs at worst.

mod call;
mod compile;
mod emit;
pub(crate) mod environment;
pub(crate) mod error;
mod fold;
mod literal;
mod names;
mod patterns;
mod state;
