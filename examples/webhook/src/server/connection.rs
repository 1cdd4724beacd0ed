//! A connection: TLS and HTTP/1.1, with time limits.
//!
//! hyper's timeout for headers also runs while a connection is idle, and would close connections
//! that API servers keep open. This module therefore tracks the phase of a connection, and gives
//! each phase its own deadline.

use std::io;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until, timeout};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;

use crate::server::app::Limits;

/// The maximum size of headers, in bytes.
const MAX_HEADER_BYTES: usize = 32 << 10;

/// The time that a request may take in addition to the limits of waiting and reading.
const EXTRA_PROCESSING_TIME: Duration = Duration::from_secs(30);

/// The phase of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// The connection is idle.
    Idle,
    /// Headers are being received.
    Header,
    /// A request is being processed.
    Processing,
}

/// The phase of a connection, and its deadline.
#[derive(Debug)]
struct PhaseTimer {
    phase_and_deadline: watch::Sender<(Phase, Instant)>,
    limits: Limits,
}

impl PhaseTimer {
    fn enter(&self, phase: Phase) {
        let duration = match phase {
            Phase::Idle => self.limits.idle_timeout,
            Phase::Header => self.limits.header_timeout,
            // Waiting for a permit and reading the body have error responses of their own.
            // Discarding the rest of a body takes as long as reading.
            Phase::Processing => {
                self.limits.queue_timeout + self.limits.body_timeout * 2 + EXTRA_PROCESSING_TIME
            }
        };
        self.phase_and_deadline
            .send_replace((phase, Instant::now() + duration));
    }

    fn is_in(&self, phase: Phase) -> bool {
        self.phase_and_deadline.borrow().0 == phase
    }
}

/// Serves a connection until the connection ends, fails, or exceeds a limit. After `stop`, serves
/// only the request in progress.
pub(crate) async fn run_connection(
    stream: TcpStream,
    config: Arc<ServerConfig>,
    router: Router,
    limits: Limits,
    mut stop: watch::Receiver<bool>,
) {
    let handshake = timeout(
        limits.handshake_timeout,
        TlsAcceptor::from(config).accept(stream),
    )
    .await;
    let stream = match handshake {
        Ok(Ok(stream)) => stream,
        Ok(Err(error)) => {
            tracing::debug!(%error, "handshake failed");
            return;
        }
        Err(_) => {
            tracing::debug!("handshake took too long");
            return;
        }
    };
    let first_phase = (Phase::Header, Instant::now() + limits.header_timeout);
    let (phase_and_deadline, mut timer_changes) = watch::channel(first_phase);
    let timer = Arc::new(PhaseTimer {
        phase_and_deadline,
        limits,
    });
    let io = TokioIo::new(HeaderTimedStream {
        stream,
        timer: Arc::clone(&timer),
    });
    let router = TowerToHyperService::new(router);
    let service = service_fn(move |request: Request<Incoming>| {
        timer.enter(Phase::Processing);
        let response = hyper::service::Service::call(&router, request.map(Body::new));
        let timer = Arc::clone(&timer);
        async move {
            let response = response.await;
            timer.enter(Phase::Idle);
            response
        }
    });
    let mut http = http1::Builder::new();
    let connection = http
        .max_buf_size(MAX_HEADER_BYTES)
        .serve_connection(io, service);
    let mut connection = pin!(connection);
    let mut is_stopping = false;
    loop {
        let (phase, deadline) = *timer_changes.borrow_and_update();
        tokio::select! {
            result = connection.as_mut() => {
                if let Err(error) = result {
                    tracing::debug!(%error, "connection failed");
                }
                return;
            }
            () = wait_for_stop(&mut stop), if !is_stopping => {
                is_stopping = true;
                connection.as_mut().graceful_shutdown();
            }
            // The branch never fails while the connection lives, because its stream owns the
            // sender.
            Ok(()) = timer_changes.changed() => {}
            () = sleep_until(deadline) => {
                tracing::debug!(?phase, "connection took too long");
                return;
            }
        }
    }
}

/// Waits for the signal to stop, or until its sender is dropped.
pub(crate) async fn wait_for_stop(stop: &mut watch::Receiver<bool>) {
    drop(stop.wait_for(|is_stopped| *is_stopped).await);
}

/// A stream that enters the phase `Header` at the first byte of a request.
struct HeaderTimedStream<S> {
    stream: S,
    timer: Arc<PhaseTimer>,
}

impl<S: AsyncRead + Unpin> AsyncRead for HeaderTimedStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let previous_length = buffer.filled().len();
        let poll = Pin::new(&mut self.stream).poll_read(context, buffer);
        if buffer.filled().len() > previous_length && self.timer.is_in(Phase::Idle) {
            self.timer.enter(Phase::Header);
        }
        poll
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for HeaderTimedStream<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(context, bytes)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}
