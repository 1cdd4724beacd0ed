//! `unionctl tighten`: what a new schema does to the objects that are stored, before it is rolled out.

mod command;
mod finding;
mod judge;
mod report;
mod touch;

pub(crate) use command::{TightenArgs, of_one, run};
pub(crate) use report::Report;
