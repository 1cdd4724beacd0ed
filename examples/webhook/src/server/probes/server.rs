//! The server of probes and metrics: plain HTTP on a port and a thread of its own, so that probes
//! are answered whatever the clients of the webhook do.

use std::collections::VecDeque;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::runtime::Builder;
use tokio::task::AbortHandle;
use tokio::time::{Instant, sleep, timeout};

use super::health::health_routes;
use crate::server::app::AppState;
use crate::server::http_error::HttpError;

/// The maximum number of connections. A further connection ends the oldest connection.
const MAX_CONNECTIONS: usize = 256;

/// The maximum number of connections that wait to be accepted.
const BACKLOG: u32 = 1024;

/// The time that each connection has at least.
const MIN_CONNECTION_TIME: Duration = Duration::from_millis(500);

/// The interval at which a further connection looks for a place.
const PLACE_INTERVAL: Duration = Duration::from_millis(10);

/// The time that a connection may take. A connection has one request.
const CONNECTION_TIMEOUT: Duration = Duration::from_secs(5);

/// The pause after a failed `accept`, for example because the process has too many open files.
const ACCEPT_RETRY_DELAY: Duration = Duration::from_millis(50);

/// Listens on an address, and serves `/healthz`, `/readyz` and `/metrics` there until the process
/// ends. Returns the address, whose port the system chooses if it is 0.
///
/// # Errors
///
/// Returns an error if the address is in use or not available.
pub fn serve_probes(address: SocketAddr, app: Arc<AppState>) -> io::Result<SocketAddr> {
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let listener = {
        // The listener belongs to the runtime of this port.
        let _context = runtime.enter();
        let socket = match address {
            SocketAddr::V4(_) => TcpSocket::new_v4()?,
            SocketAddr::V6(_) => TcpSocket::new_v6()?,
        };
        socket.set_reuseaddr(true)?;
        socket.bind(address)?;
        socket.listen(BACKLOG)?
    };
    let address = listener.local_addr()?;
    let accepting = accept_connections(listener, router(app));
    let thread = thread::Builder::new().name("probes".to_owned());
    thread.spawn(move || runtime.block_on(accepting))?;
    Ok(address)
}

fn router(app: Arc<AppState>) -> Router {
    health_routes()
        .fallback(
            |request: Request| async move { HttpError::unknown_probe_path(request.uri().path()) },
        )
        .with_state(app)
}

/// Accepts connections, and serves each of them in a task of its own.
async fn accept_connections(listener: TcpListener, router: Router) {
    let mut connections: VecDeque<(Instant, AbortHandle)> = VecDeque::new();
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            sleep(ACCEPT_RETRY_DELAY).await;
            continue;
        };
        wait_for_place(&mut connections).await;
        let connection = tokio::spawn(serve_connection(stream, router.clone()));
        connections.push_back((Instant::now(), connection.abort_handle()));
    }
}

/// Waits until there are fewer than [`MAX_CONNECTIONS`], and ends the oldest connection if that has
/// had its time.
async fn wait_for_place(connections: &mut VecDeque<(Instant, AbortHandle)>) {
    loop {
        connections.retain(|(_, connection)| !connection.is_finished());
        if connections.len() < MAX_CONNECTIONS {
            return;
        }
        if let Some((start, oldest)) = connections.front()
            && start.elapsed() >= MIN_CONNECTION_TIME
        {
            oldest.abort();
            connections.pop_front();
            return;
        }
        sleep(PLACE_INTERVAL).await;
    }
}

/// Serves one request.
async fn serve_connection(stream: TcpStream, router: Router) {
    let router = TowerToHyperService::new(router);
    let service = service_fn(|request: Request<Incoming>| {
        hyper::service::Service::call(&router, request.map(Body::new))
    });
    let mut http = http1::Builder::new();
    let connection = http
        .keep_alive(false)
        .serve_connection(TokioIo::new(stream), service);
    match timeout(CONNECTION_TIMEOUT, connection).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => tracing::debug!(%error, "a probe failed"),
        Err(_) => tracing::debug!("a probe took too long"),
    }
}
