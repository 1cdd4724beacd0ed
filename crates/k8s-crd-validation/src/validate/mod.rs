//! Validation by the keywords of a schema, with ratcheting (`docs/ratcheting.md`, "Schema errors").

mod combine;
mod count;
pub(crate) mod errors;
mod flow;
mod kind;
mod list_types;
mod number;
pub(crate) mod survey;
mod text;
mod validation;
mod values;

pub(crate) use validation::Validation;
