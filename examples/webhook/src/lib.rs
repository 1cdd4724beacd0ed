//! An admission webhook for the unions of custom resources: `/mutate` normalizes, `/validate` validates and ratchets.
//!
//! - [`review`]: a review in, a review out, without HTTP; [`schemas`] is what it judges by;
//! - [`serve`]: HTTPS with limits and a good end; [`app`] is what connections share, [`routes`] the paths;
//! - [`files`] and `cluster` (a feature): where CRDs come from; [`tls`]: where certificates do;
//! - [`manifests`]: what is applied to a cluster.

pub mod app;
mod body;
#[cfg(feature = "cluster")]
pub mod cluster;
mod connection;
pub mod files;
pub mod manifests;
pub mod metrics;
pub mod problem;
mod refusal;
mod request;
pub mod review;
pub mod routes;
pub mod schemas;
pub mod serve;
pub mod tls;
