//! A connection: TLS and HTTP/1.1, with time limits.

use std::pin::pin;
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::http::HeaderValue;
use axum::http::header::CONNECTION;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio::time::sleep_until;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::{AlertDescription, Error as TlsError, ServerConfig};
use tokio_rustls::server::TlsStream;

use super::app::AppState;
use super::limits::connections::ConnectionPlace;
use super::limits::phase::{HeaderTimedStream, Phase, PhaseTimer};
use crate::metrics::{ClosedConnection, FailedHandshake};

/// The maximum size of headers, in bytes.
const MAX_HEADER_BYTES: usize = 32 << 10;

/// Serves a connection until the connection ends, fails, or exceeds a limit. After `stop`, serves
/// only the request in progress or, on a new connection, the first request.
pub(super) async fn run_connection(
    stream: TcpStream,
    config: Arc<ServerConfig>,
    router: Router,
    app: Arc<AppState>,
    place: ConnectionPlace,
    stop: watch::Receiver<bool>,
) {
    let handshake = TlsAcceptor::from(config).accept(stream);
    let stream = tokio::select! {
        result = handshake => match result {
            Ok(stream) => stream,
            Err(error) => {
                report_failed_handshake(&app, &error);
                return;
            }
        },
        () = end_of_phase(&app, &place.timer) => return,
    };
    place.timer.enter(Phase::New);
    serve_http(stream, router, &app, &place.timer, stop).await;
}

/// Waits until the current phase has exceeded its time limit.
async fn end_of_phase(app: &AppState, timer: &PhaseTimer) {
    let mut changes = timer.subscribe();
    loop {
        let current = *changes.borrow_and_update();
        tokio::select! {
            // The sender lives as long as the timer.
            Ok(()) = changes.changed() => {}
            () = sleep_until(current.deadline) => {
                if current.phase != Phase::Closing {
                    app.metrics.count_closed_connection(ClosedConnection::TimedOut);
                    tracing::debug!(phase = ?current.phase, "connection took too long");
                }
                return;
            }
        }
    }
}

/// Serves the requests of a connection after its handshake.
async fn serve_http(
    stream: TlsStream<TcpStream>,
    router: Router,
    app: &Arc<AppState>,
    timer: &Arc<PhaseTimer>,
    mut stop: watch::Receiver<bool>,
) {
    let io = TokioIo::new(HeaderTimedStream {
        stream,
        timer: Arc::clone(timer),
    });
    let router = TowerToHyperService::new(router);
    let service = service_fn(|request: Request<Incoming>| {
        timer.enter(Phase::Body);
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(Arc::clone(timer));
        let response = hyper::service::Service::call(&router, request);
        async move {
            let mut response = response.await;
            if app.is_stopping()
                && let Ok(response) = &mut response
            {
                // The client sends its next request on a new connection, to another replica.
                let close = HeaderValue::from_static("close");
                response.headers_mut().insert(CONNECTION, close);
            }
            timer.enter(Phase::Idle);
            response
        }
    });
    let mut http = http1::Builder::new();
    let connection = http
        .max_buf_size(MAX_HEADER_BYTES)
        .serve_connection(io, service);
    let mut connection = pin!(connection);
    let mut end_of_phase = pin!(end_of_phase(app, timer));
    let mut changes = timer.subscribe();
    let mut is_stopping = false;
    loop {
        tokio::select! {
            result = connection.as_mut() => {
                if let Err(error) = result {
                    tracing::debug!(%error, "connection failed");
                }
                return;
            }
            () = wait_for_stop(&mut stop), if !is_stopping => {
                is_stopping = true;
                // The response to a request that has begun closes the connection, and so does the
                // response to the first request of a new connection: its client may have sent the
                // request already.
                if timer.current().phase == Phase::Idle {
                    timer.enter(Phase::Closing);
                }
            }
            Ok(()) = changes.changed() => {
                if changes.borrow_and_update().phase == Phase::Closing {
                    connection.as_mut().graceful_shutdown();
                }
            }
            () = end_of_phase.as_mut() => return,
        }
    }
}

/// Counts a failed handshake. A client that rejects the certificate is an error of this webhook, so
/// the first such client of each minute is logged as a warning.
fn report_failed_handshake(app: &AppState, error: &std::io::Error) {
    let tls_error = error.get_ref().and_then(|error| error.downcast_ref());
    let is_certificate_rejected = matches!(
        tls_error,
        Some(TlsError::AlertReceived(
            AlertDescription::BadCertificate
                | AlertDescription::UnsupportedCertificate
                | AlertDescription::CertificateRevoked
                | AlertDescription::CertificateExpired
                | AlertDescription::CertificateUnknown
                | AlertDescription::UnknownCA
        ))
    );
    let reason = if is_certificate_rejected {
        FailedHandshake::CertificateRejected
    } else {
        FailedHandshake::Other
    };
    app.metrics.count_failed_handshake(reason);
    if is_certificate_rejected && app.certificate_warnings.is_due() {
        tracing::warn!(%error, "a client rejects the certificate of the webhook");
    } else {
        tracing::debug!(%error, "handshake failed");
    }
}

/// Waits for the signal to stop, or until its sender is dropped.
pub(super) async fn wait_for_stop(stop: &mut watch::Receiver<bool>) {
    drop(stop.wait_for(|is_stopped| *is_stopped).await);
}
