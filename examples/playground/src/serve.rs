//! Serves the page on loopback.

use std::net::{Ipv4Addr, SocketAddr};

use axum::Router;
use axum::response::Html;
use axum::routing::get;

use crate::{ErrorMessage, Page};

/// Serves the page until the process ends. Calls `on_ready` with the address when the server
/// listens.
///
/// # Errors
///
/// Returns an error if the port is in use, or if the server fails.
pub fn serve(
    page: &Page,
    port: u16,
    on_ready: impl FnOnce(SocketAddr),
) -> Result<(), ErrorMessage> {
    let html = page.html.clone();
    let runtime = tokio::runtime::Runtime::new().map_err(|error| error.to_string())?;
    runtime.block_on(async {
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        let listener = tokio::net::TcpListener::bind(address).await;
        let listener = listener
            .map_err(|error| format!("cannot listen on {address}: {error}; use another --port"))?;
        on_ready(listener.local_addr().map_err(|error| error.to_string())?);
        let router = Router::new().route("/", get(async move || Html(html)));
        let result = axum::serve(listener, router).await;
        result.map_err(|error| error.to_string())
    })
}
