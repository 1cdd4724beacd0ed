//! Quantities such as `1.5Gi`, as the package `resource` of apimachinery parses and prints them.
//!
//! An API server stores most quantities as 64 bits with a scale, and all others with all of their
//! digits. CEL rules see the difference: only a quantity of 64 bits can be an integer.

mod amount;
mod canonical;
mod natural;
mod parse;
#[cfg(test)]
mod tests;

pub use self::amount::Quantity;
pub use self::natural::TooManyDigitsError;
