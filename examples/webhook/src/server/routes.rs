//! The routes of the webhook, and the checks before a review is processed.

use std::sync::Arc;
use std::time::Instant;

use axum::extract::{Request, State};
use axum::http::HeaderMap;
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderValue, Method, Uri};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use axum::{Extension, Router};
use tokio::sync::OwnedSemaphorePermit;
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use super::app::AppState;
use super::http_error::HttpError;
use super::limits::body::{self, BufferedBody};
use super::limits::phase::{Phase, PhaseTimer};
use super::probes::health::health_routes;
use super::readiness::NotReady;
use super::review_log::log_review;
use crate::admission::review::{self, BadRequestError, Webhook};
use crate::admission::schemas::Schemas;

/// Creates the router of the webhook.
pub(super) fn router(app: Arc<AppState>) -> Router {
    let webhook_route = |webhook: Webhook| {
        post(
            move |State(app): State<Arc<AppState>>,
                  Extension(timer): Extension<Arc<PhaseTimer>>,
                  request: Request| review(app, timer, webhook, request),
        )
    };
    Router::new()
        .route(Webhook::Mutate.path(), webhook_route(Webhook::Mutate))
        .route(Webhook::Validate.path(), webhook_route(Webhook::Validate))
        .merge(health_routes())
        .fallback(unknown_path)
        .method_not_allowed_fallback(wrong_method)
        .with_state(app)
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
        reason = error.reason(),
        why = error.message(),
        "request rejected"
    );
    error.into_response()
}

/// Reads a review, waits for a permit, and processes the review.
///
/// The body is read before the webhook waits for a permit, so that a slow client holds none.
async fn review(
    app: Arc<AppState>,
    timer: Arc<PhaseTimer>,
    webhook: Webhook,
    request: Request,
) -> Response {
    let Some(schemas) = app.schemas() else {
        let reason = app.readiness().err().unwrap_or(NotReady::NoSchemas);
        return reject_unread(&app, HttpError::not_ready(reason), request).await;
    };
    if let Err(error) = check_content_type(request.headers()) {
        return reject_unread(&app, error, request).await;
    }
    let reading = app.metrics.begin_reading();
    let body = body::read_body(request.into_body(), &app.limits, &app.body_memory).await;
    drop(reading);
    let body = match body {
        Ok(body) => body,
        Err(error) => return count_and_respond(&app, error),
    };
    timer.enter(Phase::Answering);
    let waiting = app.metrics.begin_waiting();
    let permit = Arc::clone(&app.review_permits).acquire_owned();
    let permit = timeout(app.limits.queue_timeout, permit).await;
    drop(waiting);
    let Ok(Ok(permit)) = permit else {
        return count_and_respond(&app, HttpError::busy(app.limits.queue_timeout));
    };
    // Reviews are processed on threads of their own, so that connections never wait for a review.
    let processing = {
        let app = Arc::clone(&app);
        spawn_blocking(move || process(&app, webhook, body, &schemas, permit))
    };
    match processing.await {
        Ok(response) => response,
        Err(error) => {
            tracing::error!(%error, "a review was not processed");
            count_and_respond(&app, HttpError::internal())
        }
    }
}

/// Processes a review, and counts and logs the result.
fn process(
    app: &AppState,
    webhook: Webhook,
    body: BufferedBody,
    schemas: &Schemas,
    permit: OwnedSemaphorePermit,
) -> Response {
    let in_flight = app.metrics.begin_answering();
    let start = Instant::now();
    let answer = review::answer_review(webhook, &body.bytes, schemas, &app.review_settings);
    let duration = start.elapsed();
    drop((body, permit, in_flight));
    match answer {
        Ok(reply) => {
            app.metrics.count_review(webhook, &reply.summary, duration);
            log_review(webhook, &reply.summary, duration);
            let content_type = HeaderValue::from_static("application/json");
            ([(CONTENT_TYPE, content_type)], reply.body).into_response()
        }
        Err(BadRequestError(message)) => count_and_respond(app, HttpError::bad_request(message)),
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
