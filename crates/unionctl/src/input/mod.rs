//! The input: files and stdin, YAML and JSON.

mod choose;
pub(crate) mod crd;
mod documents;
pub(crate) mod folder;
mod form;
mod inputs;
mod numbers;
pub(crate) mod object;
pub(crate) mod openapi;
pub(crate) mod place;
mod positions;
mod value;

pub(crate) use choose::Placed;
pub(crate) use documents::{Documents, text};
pub(crate) use form::{Form, flaw_of_json, read_json};
pub(crate) use inputs::{Inputs, MOST_BYTES};
pub(crate) use numbers::changed_numbers;
pub(crate) use positions::{Position, Positions, with_parents};
