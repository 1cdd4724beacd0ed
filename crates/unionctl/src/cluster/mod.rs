//! The cluster: reads CRDs, objects and schemas by kubectl, which has the user's context and
//! credentials. Nothing is written: `kubectl.rs` has the only calls, and all of them read.

mod api_path;
pub(crate) mod args;
mod connection;
mod interrupt;
mod kubectl;
mod lists;
mod resources;
mod server_version;
mod unread_parts;

pub use args::Program;
pub(crate) use args::{ClusterArgs, FileInputs};
pub(crate) use connection::{CLUSTER, Cluster};
pub(crate) use lists::ObjectQuery;
pub(crate) use resources::{CrdLookup, LiveSchema, Resource};
