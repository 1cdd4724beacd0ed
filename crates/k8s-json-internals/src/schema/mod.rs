//! Changes of JSON schemas.

pub mod free_json;
pub mod schema_keywords;
pub mod value_list;
