//! The paths for probes and metrics, which need no permit.

use std::fmt::Write as _;
use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::HeaderValue;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use crate::server::app::AppState;
use crate::server::http_error::HttpError;

/// Creates the routes of probes and metrics.
pub(crate) fn health_routes() -> Router<Arc<AppState>> {
    Router::new()
        .route("/healthz", get(|| async { "ok\n" }))
        .route("/readyz", get(readiness))
        .route("/metrics", get(metrics))
}

/// Responds whether the webhook is ready. The response of a ready webhook lists the CRDs that have
/// disappeared: the other kinds are still served, so the webhook stays ready.
async fn readiness(State(app): State<Arc<AppState>>) -> Response {
    if let Err(reason) = app.readiness() {
        return HttpError::not_ready(reason).into_response();
    }
    let mut text = "ok\n".to_owned();
    for version in app.missing_crds() {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "the CRD of {version} has disappeared");
    }
    text.into_response()
}

async fn metrics(State(app): State<Arc<AppState>>) -> Response {
    let content_type = HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8");
    ([(CONTENT_TYPE, content_type)], app.prometheus()).into_response()
}
