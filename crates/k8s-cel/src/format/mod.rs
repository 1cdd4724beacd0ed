//! The formats of strings that an API server checks.

mod cel_formats;
mod checksum;
mod color;
mod date;
mod email;
mod formats;
mod hex;
mod hostname;
mod ip;
mod mac;
mod name;
mod open_api_formats;
mod uri;
mod uuid;

#[cfg(test)]
mod tests;

pub(crate) use self::cel_formats::CelFormat;
pub use self::formats::{FormatCheck, Formats};
