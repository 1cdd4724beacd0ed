//! `unionctl check`: predicts the answers of an API server to requests for custom resources.

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
