//! Prints values, numbers and quoted strings as an API server does.

mod formatter;
mod json;
pub mod number;
pub mod quote;
pub mod stored;

pub use self::formatter::GoNumbers;
pub use self::json::{GoJson, JsonString, go_type};
