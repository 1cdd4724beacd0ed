//! The HTTPS server: connections, routes and limits.

pub mod app;
mod body;
mod connection;
mod connections;
mod health;
mod http_error;
mod limits;
mod phase;
pub mod probes;
mod readiness;
mod review_log;
mod routes;
pub mod serve;
