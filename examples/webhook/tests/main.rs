//! Tests of the answers of the webhook, which are requested over TLS, as API servers do.

mod decisions;
mod foreign;
mod hostile;
mod manifests;
mod metrics;
mod process;
mod readme;
mod slow;
mod stop;
mod support;
mod whole;
mod worlds;
