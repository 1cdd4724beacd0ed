//! Names and string literals in CEL.

pub mod cel_name;
pub mod cel_text;
