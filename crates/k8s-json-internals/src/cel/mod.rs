//! Names and texts in CEL.

pub mod cel_name;
pub mod cel_text;
