//! Tests of the webhook over TLS, as API servers call it.

mod all_updates;
mod conditions;
mod decisions;
mod foreign;
mod hostile;
mod log;
mod manifests;
mod metrics;
mod monitoring;
mod process;
mod program;
mod readme;
mod slow;
mod stop;
mod support;
mod whole_schema;
