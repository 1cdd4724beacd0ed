//! `unionctl patch`: strategic merge patches, made, applied and put together.

mod args;
mod command;
mod files;
mod jsonl;
mod last_applied;
mod request;

pub(crate) use args::{FORMS, PatchArgs};
pub(crate) use command::run;
