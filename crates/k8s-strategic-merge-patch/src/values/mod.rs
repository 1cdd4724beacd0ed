//! JSON values: their types, and how messages print them.

pub(crate) mod json_type;
pub(crate) mod print;
