//! The server: accepts connections, and shuts down gracefully.

use std::future::poll_fn;
use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::{Arc, PoisonError, RwLock};
use std::task::Poll;
use std::time::Duration;

use axum::Router;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::{JoinHandle, unconstrained};
use tokio::time::{sleep, timeout};
use tokio_rustls::rustls::ServerConfig;

use super::app::AppState;
use super::connection;
use super::routes::router;

/// The pause after a failed `accept`, for example because the process has too many open files.
const ACCEPT_RETRY_DELAY: Duration = Duration::from_millis(50);

/// A listening server.
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    app: Arc<AppState>,
    tls: Arc<RwLock<Arc<ServerConfig>>>,
    stop: watch::Sender<bool>,
    accept_task: JoinHandle<()>,
}

impl Server {
    /// Listens on an address, and serves the webhook there until [`stop`](Self::stop).
    ///
    /// # Errors
    ///
    /// Returns an error if the address is in use or not available.
    pub async fn start(
        address: SocketAddr,
        tls: Arc<ServerConfig>,
        app: Arc<AppState>,
    ) -> io::Result<Self> {
        let listener = TcpListener::bind(address).await?;
        let address = listener.local_addr()?;
        let (stop, stop_receiver) = watch::channel(false);
        let tls = Arc::new(RwLock::new(tls));
        let accepting =
            accept_connections(listener, Arc::clone(&tls), Arc::clone(&app), stop_receiver);
        let accept_task = tokio::spawn(accepting);
        Ok(Self {
            address,
            app,
            tls,
            stop,
            accept_task,
        })
    }

    /// Returns the address on which the server listens.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns the state that all connections share.
    #[must_use]
    pub const fn app(&self) -> &Arc<AppState> {
        &self.app
    }

    /// Sets the certificates of new connections.
    pub fn set_tls(&self, tls: Arc<ServerConfig>) {
        *self.tls.write().unwrap_or_else(PoisonError::into_inner) = tls;
    }

    /// Stops the server. For the time `drain`, the server reports that it is not ready, but still
    /// accepts requests, and closes each connection after its next response. Then it stops
    /// listening, and completes the requests in progress for at most `grace`. Returns true if all
    /// requests were completed.
    pub async fn stop(self, drain: Duration, grace: Duration) -> bool {
        self.app.mark_stopping();
        sleep(drain).await;
        self.stop.send_replace(true);
        let completion = timeout(grace, async {
            // The task `accept_connections` ends, because `stop` is true.
            let _ = self.accept_task.await;
            self.app.connections.wait_for_end().await
        });
        completion.await.unwrap_or(false)
    }
}

/// The parts of the server that a new connection needs.
struct Acceptor {
    tls: Arc<RwLock<Arc<ServerConfig>>>,
    app: Arc<AppState>,
    router: Router,
    stop: watch::Receiver<bool>,
}

impl Acceptor {
    /// Serves a connection in a task of its own, when the limits permit that.
    async fn serve(&self, stream: TcpStream, peer: SocketAddr) {
        let connections = &self.app.connections;
        let Some(place) = connections.admit(peer.ip(), &self.app.metrics).await else {
            return;
        };
        // A response is written at once, so waiting for more data would only delay the response.
        let _ = stream.set_nodelay(true);
        let config = Arc::clone(&self.tls.read().unwrap_or_else(PoisonError::into_inner));
        let (router, app, stop) = (
            self.router.clone(),
            Arc::clone(&self.app),
            self.stop.clone(),
        );
        tokio::spawn(connection::run_connection(
            stream, config, router, app, place, stop,
        ));
    }
}

/// Accepts connections until the signal to stop.
async fn accept_connections(
    listener: TcpListener,
    tls: Arc<RwLock<Arc<ServerConfig>>>,
    app: Arc<AppState>,
    mut stop: watch::Receiver<bool>,
) {
    let acceptor = Acceptor {
        tls,
        router: router(Arc::clone(&app)),
        app,
        stop: stop.clone(),
    };
    loop {
        let accepted = tokio::select! {
            () = connection::wait_for_stop(&mut stop) => break,
            accepted = listener.accept() => accepted,
        };
        match accepted {
            Ok((stream, peer)) => acceptor.serve(stream, peer).await,
            Err(error) => {
                tracing::warn!(%error, "cannot accept a connection");
                sleep(ACCEPT_RETRY_DELAY).await;
            }
        }
    }
    // The clients of the backlog are connected already, and may have sent a request.
    while let Some(Ok((stream, peer))) = next_in_backlog(&listener).await {
        acceptor.serve(stream, peer).await;
    }
}

/// Accepts a connection of the backlog. Returns `None` if the backlog is empty.
async fn next_in_backlog(listener: &TcpListener) -> Option<io::Result<(TcpStream, SocketAddr)>> {
    let mut accepting = pin!(unconstrained(listener.accept()));
    poll_fn(|context| match accepting.as_mut().poll(context) {
        Poll::Ready(result) => Poll::Ready(Some(result)),
        Poll::Pending => Poll::Ready(None),
    })
    .await
}
