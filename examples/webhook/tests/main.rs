//! The webhook as API servers have it: over TLS, by what it answers.

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
