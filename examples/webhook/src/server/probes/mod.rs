//! Probes and metrics: their routes, and their own server.

pub(crate) mod health;
mod server;

pub use server::serve_probes;
