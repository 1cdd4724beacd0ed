//! Names and string literals in CEL.

pub mod cel_literal;
pub mod cel_name;
