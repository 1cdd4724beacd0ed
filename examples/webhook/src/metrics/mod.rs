//! The metrics of the webhook, in the exposition format of Prometheus.
//!
//! The number of labels is bounded: only known kinds have labels, and at most `MAX_KINDS` kinds
//! get a label in the lifetime of the process.

mod counters;
mod gauge;
mod histogram;
mod text;

pub use counters::{ClosedConnection, FailedHandshake, Metrics};
pub use gauge::Gauges;
