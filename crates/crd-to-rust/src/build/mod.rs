//! From a schema to the model: which types there are, what they are called, and what each field is.

mod builder;
mod field;
mod keywords;
mod nested;
mod object;
mod paths;
pub(crate) mod root;
mod union;
mod unions;
