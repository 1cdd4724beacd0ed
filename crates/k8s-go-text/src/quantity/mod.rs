//! Quantities such as `1.5Gi`, as the package `resource` of apimachinery has them.
//!
//! A server keeps most of them as 64 bits with a scale, and all else with as many digits as there are. Rules see which of them it
//! is: only of the first kind is one a whole number.

mod natural;
mod number;
mod read;
#[cfg(test)]
mod tests;
mod written;

pub use self::natural::TooLong;
pub use self::number::Quantity;
