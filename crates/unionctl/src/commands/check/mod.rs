//! `unionctl check`: validates requests for custom resources as an API server does.

mod args;
mod builtin;
mod command;
mod current_schema;
mod definitions;
pub(crate) mod files;
pub(crate) mod jsonl;
mod kind_counts;
pub(crate) mod object_report;
mod schema_only;
mod stored_objects;
mod summary;

pub(crate) use args::{CheckArgs, USAGES};
pub(crate) use command::run;
