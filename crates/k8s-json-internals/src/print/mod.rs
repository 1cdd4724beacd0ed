//! Values, numbers and quoted strings as an API server prints them.

mod json;
pub mod number;
pub mod quote;

pub use self::json::{GoJson, JsonString, go_type};
