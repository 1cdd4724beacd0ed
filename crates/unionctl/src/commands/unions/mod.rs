//! `unionctl unions`: normalizes and validates the unions of an object or of JSON lines, and lists
//! the unions of a schema.

mod args;
mod builtin;
mod command;
pub(crate) mod jsonl;
pub(crate) mod listing;
mod object;

pub(crate) use args::{USAGES, UnionsArgs};
pub(crate) use command::run;
