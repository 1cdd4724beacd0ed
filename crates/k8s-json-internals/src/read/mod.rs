//! Reading of JSON objects from any deserializer, faster than into a `serde_json::Value`.

mod reader;
mod record;
mod tape;

pub use reader::{FieldValue, TapeReader};
pub use tape::Tape;
