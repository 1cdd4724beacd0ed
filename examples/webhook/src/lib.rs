//! An admission webhook for the unions of custom resources: `/mutate` normalizes, `/validate`
//! validates and ratchets.
//!
//! - [`review`]: decides about a review by the CRDs of [`schemas`], without HTTP;
//! - [`serve`]: serves HTTPS with limits and a graceful shutdown; [`app`] is the state that
//!   connections share, [`routes`] has the paths;
//! - [`files`] and `cluster` (a feature): the sources of CRDs; [`tls`]: the certificates;
//! - [`manifests`]: the manifests that register the webhook in a cluster.

pub mod app;
mod body;
#[cfg(feature = "cluster")]
pub mod cluster;
mod connection;
pub mod error;
pub mod files;
mod http_error;
pub mod manifests;
pub mod metrics;
mod request;
pub mod review;
pub mod routes;
pub mod schemas;
pub mod serve;
pub mod tls;
