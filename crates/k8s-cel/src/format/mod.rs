//! The formats of strings and numbers that an API server checks.

mod checksum;
mod color;
mod date;
mod email;
mod hex;
mod hostname;
mod ip;
mod known;
mod mac;
mod name;
mod named;
mod table;
mod uri;
mod uuid;

#[cfg(test)]
mod tests;

pub(crate) use self::named::Named;
pub use self::table::{Check, Formats};
