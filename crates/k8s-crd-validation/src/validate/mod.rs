//! Validation by the keywords of a schema, with ratcheting (spec `ratcheting.md` 2 and 6).

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
