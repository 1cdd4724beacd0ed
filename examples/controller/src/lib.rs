//! A controller of backups. The target of a backup is a union, read as a Rust enum, and the cluster
//! may have targets that this build does not know. Such a backup gets a condition that reports
//! this, and all other backups are reconciled as usual.
//!
//! [`backup`] has the resource, [`reconcile`] the work for one object, [`run`](run::run) the loop.

pub mod backup;
pub mod condition;
pub mod reconcile;
pub mod run;
