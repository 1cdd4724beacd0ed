//! Quantities such as `1.5Gi`, as the package `resource` of apimachinery parses and prints them.
//!
//! An API server stores most quantities as 64 bits with a scale, and all others with all of their
//! digits. CEL rules see the difference: only a quantity of 64 bits can be an integer.

mod natural;
mod number;
mod read;
#[cfg(test)]
mod tests;
mod written;

pub use self::natural::TooLong;
pub use self::number::Quantity;
