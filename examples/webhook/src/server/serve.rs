//! The server: accepts connections, and shuts down gracefully.

use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};
use tokio_rustls::rustls::ServerConfig;

use crate::server::app::AppState;
use crate::server::connection;
use crate::server::routes::router;

/// The pause after a failed `accept`, for example because the process has too many open files.
const ACCEPT_RETRY_DELAY: Duration = Duration::from_millis(50);

/// A listening server.
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    app: Arc<AppState>,
    tls: Arc<RwLock<Arc<ServerConfig>>>,
    stop: watch::Sender<bool>,
    /// One permit for each allowed connection.
    connections: Arc<Semaphore>,
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
        let connections = Arc::new(Semaphore::new(app.limits.max_connections));
        let tls = Arc::new(RwLock::new(tls));
        let accepting = accept_connections(
            listener,
            Arc::clone(&tls),
            Arc::clone(&app),
            Arc::clone(&connections),
            stop_receiver,
        );
        let accept_task = tokio::spawn(accepting);
        Ok(Self {
            address,
            app,
            tls,
            stop,
            connections,
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
    /// accepts requests. Then it stops listening, and completes the requests in progress for at
    /// most `grace`. Returns true if all requests were completed.
    pub async fn stop(self, drain: Duration, grace: Duration) -> bool {
        self.app.mark_stopping();
        sleep(drain).await;
        self.stop.send_replace(true);
        let max_connections = u32::try_from(self.app.limits.max_connections).unwrap_or(u32::MAX);
        let completion = timeout(grace, async {
            // The task `accept_connections` ends, because `stop` is true.
            let _ = self.accept_task.await;
            self.connections.acquire_many(max_connections).await.is_ok()
        });
        completion.await.unwrap_or(false)
    }
}

/// Accepts connections, and serves each of them in a task of its own, until the signal to stop.
async fn accept_connections(
    listener: TcpListener,
    tls: Arc<RwLock<Arc<ServerConfig>>>,
    app: Arc<AppState>,
    connections: Arc<Semaphore>,
    mut stop: watch::Receiver<bool>,
) {
    let router = router(Arc::clone(&app));
    loop {
        let next_connection = async {
            let permit = Arc::clone(&connections).acquire_owned().await;
            (permit, listener.accept().await)
        };
        let (permit, accepted) = tokio::select! {
            () = connection::wait_for_stop(&mut stop) => return,
            next_connection = next_connection => next_connection,
        };
        let stream = match accepted {
            Ok((stream, _)) => stream,
            Err(error) => {
                tracing::warn!(%error, "cannot accept a connection");
                sleep(ACCEPT_RETRY_DELAY).await;
                continue;
            }
        };
        // A response is written at once, so waiting for more data would only delay the response.
        let _ = stream.set_nodelay(true);
        let config = Arc::clone(&tls.read().unwrap_or_else(PoisonError::into_inner));
        let (router, limits, stop) = (router.clone(), app.limits, stop.clone());
        tokio::spawn(async move {
            connection::run_connection(stream, config, router, limits, stop).await;
            drop(permit);
        });
    }
}
