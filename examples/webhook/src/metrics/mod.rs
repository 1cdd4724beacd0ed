//! The metrics of the webhook, in the text format of Prometheus.

mod counters;

pub use counters::Metrics;
