//! `unionctl tighten`: finds the effects of a new schema on stored objects, before the schema is
//! rolled out.

mod command;
mod finding;
mod judge;
mod report;
mod touch;

pub(crate) use command::{TightenArgs, of_one, run};
pub(crate) use report::Report;
