//! The routes of the webhook, and the checks before a review is processed.

use std::sync::Arc;
use std::time::Instant;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::HeaderMap;
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderValue, Method, Uri};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use tokio::time::timeout;

use crate::admission::review::{self, ReviewSummary, Webhook};
use crate::server::app::AppState;
use crate::server::body;
use crate::server::http_error::HttpError;

/// Creates the router of the webhook.
pub(super) fn router(app: Arc<AppState>) -> Router {
    let webhook_route = |webhook: Webhook| {
        post(move |State(app): State<Arc<AppState>>, request: Request| {
            review(app, webhook, request)
        })
    };
    Router::new()
        .route(Webhook::Mutate.path(), webhook_route(Webhook::Mutate))
        .route(Webhook::Validate.path(), webhook_route(Webhook::Validate))
        .route("/healthz", get(|| async { "ok\n" }))
        .route("/readyz", get(readiness))
        .route("/metrics", get(metrics))
        .fallback(unknown_path)
        .method_not_allowed_fallback(wrong_method)
        .with_state(app)
}

async fn readiness(State(app): State<Arc<AppState>>) -> Response {
    match app.readiness() {
        Ok(()) => "ok\n".into_response(),
        Err(reason) => HttpError::not_ready(reason).into_response(),
    }
}

async fn metrics(State(app): State<Arc<AppState>>) -> Response {
    let content_type = HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8");
    ([(CONTENT_TYPE, content_type)], app.metrics.to_prometheus()).into_response()
}

async fn unknown_path(State(app): State<Arc<AppState>>, uri: Uri, request: Request) -> Response {
    reject_unread(&app, HttpError::unknown_path(uri.path()), request).await
}

async fn wrong_method(
    State(app): State<Arc<AppState>>,
    method: Method,
    uri: Uri,
    request: Request,
) -> Response {
    let error = HttpError::method_not_allowed(method.as_str(), uri.path());
    reject_unread(&app, error, request).await
}

/// Rejects a request without reading its body.
async fn reject_unread(app: &AppState, error: HttpError, request: Request) -> Response {
    body::discard_body(request.into_body(), &app.limits).await;
    count_and_respond(app, error)
}

fn count_and_respond(app: &AppState, error: HttpError) -> Response {
    app.metrics.count_http_error(error.status_code());
    tracing::warn!(
        code = error.status_code(),
        why = error.message(),
        "request rejected"
    );
    error.into_response()
}

async fn review(app: Arc<AppState>, webhook: Webhook, request: Request) -> Response {
    let Some(schemas) = app.schemas() else {
        let reason = app.readiness().err().unwrap_or_default();
        return reject_unread(&app, HttpError::not_ready(reason), request).await;
    };
    if let Err(error) = check_content_type(request.headers()) {
        return reject_unread(&app, error, request).await;
    }
    // The permit is acquired before the body is read, so that the bodies in memory are bounded.
    let waiting = app.metrics.begin_waiting();
    let permit_result = timeout(app.limits.queue_timeout, app.permits.acquire()).await;
    drop(waiting);
    let Ok(Ok(_permit)) = permit_result else {
        return reject_unread(&app, HttpError::busy(app.limits.queue_timeout), request).await;
    };
    let _in_flight = app.metrics.begin_answering();
    let body = match body::read_body(request.into_body(), &app.limits).await {
        Ok(body) => body,
        Err(error) => return count_and_respond(&app, error),
    };
    let start = Instant::now();
    match review::answer_review(webhook, &body, &schemas, &app.review_settings) {
        Ok(reply) => {
            let duration = start.elapsed();
            app.metrics.count_review(webhook, &reply.summary, duration);
            log_review(webhook, &reply.summary, duration.as_micros());
            let content_type = HeaderValue::from_static("application/json");
            ([(CONTENT_TYPE, content_type)], reply.body).into_response()
        }
        Err(review::BadRequestError(message)) => {
            count_and_respond(&app, HttpError::bad_request(message))
        }
    }
}

/// Returns an error if the content type is not JSON. Parameters of the type are ignored.
fn check_content_type(headers: &HeaderMap) -> Result<(), HttpError> {
    let content_type = headers.get(CONTENT_TYPE);
    let value = content_type.and_then(|content_type| content_type.to_str().ok());
    let essence = value.and_then(|value| value.split(';').next());
    match essence {
        Some(essence) if essence.trim().eq_ignore_ascii_case("application/json") => Ok(()),
        _ => Err(HttpError::unsupported_media_type(content_type)),
    }
}

/// Logs a line for each request: at `info` if something was changed, tolerated or rejected.
fn log_review(webhook: Webhook, summary: &ReviewSummary, micros: u128) {
    let ReviewSummary {
        uid,
        operation,
        kind,
        namespace,
        name,
        dry_run,
        changes,
        rejection,
        tolerated,
    } = summary;
    let webhook = webhook.name();
    let kind = kind.as_deref().unwrap_or("other");
    let allowed = rejection.is_none();
    let refused = rejection.as_deref().unwrap_or_default();
    let (changes, ratcheted) = (changes.join("; "), tolerated.join("; "));
    let micros = u64::try_from(micros).unwrap_or(u64::MAX);
    // The names of the variables are the keys of the log line.
    macro_rules! log {
        ($level:ident) => {
            tracing::$level!(
                webhook, uid, operation, kind, namespace, name, dry_run, allowed, changes,
                ratcheted, refused, micros, "answered"
            )
        };
    }
    if allowed && changes.is_empty() && ratcheted.is_empty() {
        log!(debug);
    } else {
        log!(info);
    }
}
