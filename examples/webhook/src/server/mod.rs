//! The HTTPS server: connections, routes and limits.

pub mod app;
mod connection;
mod http_error;
mod limits;
pub mod probes;
mod readiness;
mod review_log;
mod routes;
pub mod serve;
