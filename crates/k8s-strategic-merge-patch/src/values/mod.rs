//! Values: their kinds, and how messages print them.

pub(crate) mod kind;
pub(crate) mod print;
pub(crate) mod yaml;
