//! The conversion of a schema to the model: the types, their names, and their fields.

mod builder;
mod field;
mod keywords;
mod nested;
mod object;
mod paths;
pub(crate) mod root;
mod union;
mod unions;
