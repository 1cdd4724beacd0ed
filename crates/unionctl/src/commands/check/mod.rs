//! `unionctl check`: what an API server will say to custom resources, before it is asked.

mod args;
mod bare;
mod command;
mod definitions;
pub(crate) mod files;
pub(crate) mod jsonl;
pub(crate) mod report;
mod reports;
mod stored;
mod tally;
mod used;

pub(crate) use args::{CheckArgs, FORMS};
pub(crate) use command::run;
