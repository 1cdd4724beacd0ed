//! The HTTPS server: connections, routes and limits.

pub mod app;
mod body;
mod connection;
mod http_error;
mod routes;
pub mod serve;
