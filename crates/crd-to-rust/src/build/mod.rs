//! The conversion of a schema to the model: the types, their names, and their fields.

mod builder;
mod field;
mod keywords;
mod nested;
mod object;
mod object_unions;
mod paths;
pub(crate) mod root;
mod union;
