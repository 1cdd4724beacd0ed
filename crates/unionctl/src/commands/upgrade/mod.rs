//! `unionctl upgrade`: finds the requests that another version of Kubernetes answers differently.

mod command;
mod report;
mod sarif;
mod text;

pub(crate) use command::{UpgradeArgs, report_on_objects, run};
pub(crate) use report::UpgradeReport;
