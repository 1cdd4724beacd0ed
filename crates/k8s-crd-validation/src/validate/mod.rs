//! Validation by the keywords of a schema, with ratcheting (`docs/ratcheting.md`, "Schema errors").

mod combinators;
mod enum_and_unique;
pub(crate) mod errors;
mod flow;
mod list_types;
mod match_score;
mod number;
pub(crate) mod repair;
mod string;
mod type_and_format;
mod validation;
pub(crate) mod validity_probe;

pub(crate) use validation::Validation;
