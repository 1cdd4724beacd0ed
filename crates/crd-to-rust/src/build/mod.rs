//! Converts a schema to the model: types, names and fields.

mod builder;
mod field;
mod keywords;
mod nested;
mod object;
mod object_unions;
mod paths;
pub(crate) mod root;
mod union;
