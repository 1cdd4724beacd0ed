//! An admission webhook for the unions of custom resources: `/mutate` normalizes, `/validate`
//! validates and ratchets.
//!
//! - [`admission`]: decides about a review by the schemas of CRDs, without HTTP;
//! - [`crds`]: reads CRDs from files and, with the feature `cluster`, from a cluster;
//! - [`log`]: the queue of log lines; [`tls`]: the certificates;
//! - [`server`]: serves HTTPS with limits and a graceful shutdown;
//! - [`metrics`]: the metrics for Prometheus;
//! - [`manifests`]: the manifests that register the webhook in a cluster.

// Folders, lowest first: error, log, tls, admission, crds, metrics, server, manifests, command

pub mod admission;
pub mod crds;
pub mod error;
pub mod log;
pub mod manifests;
pub mod metrics;
pub mod server;
pub mod tls;

#[cfg(feature = "cluster")]
pub use crds::cluster;
pub use {
    admission::{review, schemas},
    crds::files,
    server::{app, probes, serve},
};
