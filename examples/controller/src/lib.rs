//! A controller of backups. The target of a backup is a union, as a Rust enum. If the cluster has
//! a backup with a target that this build does not know, the controller reports this in a condition
//! of that backup, and reconciles all other backups.
//!
//! [`backup`] has the resource, [`reconcile`] reconciles one object, [`run`](run::run) has the
//! loop.

pub mod backup;
pub mod condition;
pub mod reconcile;
pub mod run;
