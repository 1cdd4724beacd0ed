//! The listener: accepts connections, and closes them in good order.

use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};
use tokio_rustls::rustls::ServerConfig;

use crate::app::AppState;
use crate::connection;
use crate::routes::router;

/// The pause if the system has no more connections.
const PAUSE: Duration = Duration::from_millis(50);

/// A server that listens.
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    app: Arc<AppState>,
    tls: Arc<RwLock<Arc<ServerConfig>>>,
    stop: watch::Sender<bool>,
    /// The permits: one for each connection that is allowed.
    connections: Arc<Semaphore>,
    listening: JoinHandle<()>,
}

impl Server {
    /// Listens on an address, and serves `app` there until [`stop`](Self::stop).
    ///
    /// # Errors
    ///
    /// Returns an error if it cannot listen on the address.
    pub async fn start(
        address: SocketAddr,
        tls: Arc<ServerConfig>,
        app: Arc<AppState>,
    ) -> io::Result<Self> {
        let listener = TcpListener::bind(address).await?;
        let address = listener.local_addr()?;
        let (stop, stopped) = watch::channel(false);
        let connections = Arc::new(Semaphore::new(app.limits.connections));
        let tls = Arc::new(RwLock::new(tls));
        let accepting = accept(
            listener,
            Arc::clone(&tls),
            Arc::clone(&app),
            Arc::clone(&connections),
            stopped,
        );
        let listening = tokio::spawn(accepting);
        Ok(Self {
            address,
            app,
            tls,
            stop,
            connections,
            listening,
        })
    }

    /// Returns the address on which the server listens.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns the app that is served.
    #[must_use]
    pub const fn app(&self) -> &Arc<AppState> {
        &self.app
    }

    /// Sets the certificates of new connections.
    pub fn set_tls(&self, tls: Arc<ServerConfig>) {
        *self.tls.write().unwrap_or_else(PoisonError::into_inner) = tls;
    }

    /// Stops the server. For `drain` it is not ready but still serves, until all clients have
    /// noticed; then it stops listening, answers the open requests for at most `grace`, and ends.
    /// Returns true if all requests were answered.
    pub async fn stop(self, drain: Duration, grace: Duration) -> bool {
        self.app.stop();
        sleep(drain).await;
        self.stop.send_replace(true);
        let all = u32::try_from(self.app.limits.connections).unwrap_or(u32::MAX);
        let ended = timeout(grace, async {
            // The task ends in the next iteration of its loop.
            let _ = self.listening.await;
            self.connections.acquire_many(all).await.is_ok()
        });
        ended.await.unwrap_or(false)
    }
}

async fn accept(
    listener: TcpListener,
    tls: Arc<RwLock<Arc<ServerConfig>>>,
    app: Arc<AppState>,
    connections: Arc<Semaphore>,
    mut stop: watch::Receiver<bool>,
) {
    let router = router(Arc::clone(&app));
    loop {
        let next = async {
            let permit = Arc::clone(&connections).acquire_owned().await;
            (permit, listener.accept().await)
        };
        let (permit, accepted) = tokio::select! {
            () = connection::wait_for_stop(&mut stop) => return,
            next = next => next,
        };
        let stream = match accepted {
            Ok((stream, _)) => stream,
            Err(error) => {
                tracing::warn!(%error, "cannot accept a connection");
                sleep(PAUSE).await;
                continue;
            }
        };
        // Answers are written in one piece, so there is nothing to join.
        let _ = stream.set_nodelay(true);
        let config = Arc::clone(&tls.read().unwrap_or_else(PoisonError::into_inner));
        let (router, limits, stop) = (router.clone(), app.limits, stop.clone());
        tokio::spawn(async move {
            connection::run_connection(stream, config, router, limits, stop).await;
            drop(permit);
        });
    }
}
