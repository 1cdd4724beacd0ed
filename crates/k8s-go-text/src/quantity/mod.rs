//! Quantities such as `1.5Gi`, as the package `resource` of apimachinery parses and prints them.
//!
//! An API server stores most quantities as a 64-bit integer with a scale, and the others with all
//! their digits. CEL rules observe the difference: only a quantity of 64 bits can be an integer.

mod amount;
mod canonical;
mod natural;
mod parse;
#[cfg(test)]
mod tests;

pub use self::amount::Quantity;
pub use self::natural::TooManyDigitsError;
