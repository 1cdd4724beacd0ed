//! Prints values, numbers and quoted strings as an API server does.

mod formatter;
mod json;
mod lines;
pub mod number;
pub mod quote;
pub mod status;
pub mod stored;

pub use self::formatter::GoNumbers;
pub use self::json::{GoJson, JsonString, go_type};
pub use self::lines::write_lines;
