//! `unionctl tighten`: finds the effects of a new schema on stored objects, before the new schema
//! is deployed.

mod before_update;
mod command;
mod evaluate;
mod report;
mod stored_fields;
mod tightened_error;

pub(crate) use command::{TightenArgs, report_on_object, run};
pub(crate) use report::TightenReport;
