//! `unionctl compat`: finds the effects of a changed CRD on stored objects and on clients, without
//! reading any objects.

mod accepted;
mod changes;
mod command;
mod places;
mod report;
mod sarif;

pub(crate) use command::{CompatArgs, run};
