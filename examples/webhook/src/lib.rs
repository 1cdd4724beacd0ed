//! An admission webhook for the unions of custom resources: `/mutate` normalizes, `/validate`
//! validates and ratchets.
//!
//! - [`admission`]: decides about a review by the schemas of CRDs, without HTTP;
//! - [`sources`]: reads CRDs from files and, with the feature `cluster`, from a cluster;
//! - [`log`]: the queue of log lines; [`certificates`]: the TLS configuration;
//! - [`server`]: serves HTTPS with limits and a graceful shutdown;
//! - [`metrics`]: the metrics for Prometheus;
//! - [`manifests`]: the manifests that register the webhook in a cluster.

// Folders, lowest first: error, log, certificates, admission, sources, metrics, server, manifests,
// command

pub mod admission;
pub mod certificates;
pub mod error;
pub mod log;
pub mod manifests;
pub mod metrics;
pub mod server;
pub mod sources;

#[cfg(feature = "cluster")]
pub use sources::cluster;
pub use {
    admission::{review, schemas},
    certificates as tls,
    server::{app, probes, serve},
    sources::files,
};
