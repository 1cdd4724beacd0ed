//! A controller of backups. Where a backup goes is a union, read as a Rust enum, and the cluster may know targets that this build
//! does not: such a backup gets a condition that says so, and all others are looked after as ever.
//!
//! [`backup`] has the resource, [`reconcile`] what is done for one, [`run`](run::run) the loop.

pub mod backup;
pub mod condition;
pub mod reconcile;
pub mod run;
