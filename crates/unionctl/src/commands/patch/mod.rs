//! `unionctl patch`: creates, applies and composes strategic merge patches, and switches unions.

mod args;
mod command;
mod files;
mod jsonl;
mod last_applied;
mod request;
mod switch;
mod unchanged_fields;
mod union_warnings;

pub(crate) use args::{PatchArgs, USAGES};
pub(crate) use command::run;
