//! Prints values, numbers and quoted strings as an API server does.

mod formatter;
mod json;
mod lines;
pub mod normalized_numbers;
pub mod number;
pub mod quote;
pub mod status;

pub use self::formatter::GoNumbers;
pub use self::json::{GoJson, JsonString, go_type};
pub use self::lines::write_lines;
