//! The paths, and the checks between a request and its review.

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

use crate::app::AppState;
use crate::body;
use crate::refusal::HttpError;
use crate::review::{self, ReviewSummary, Webhook};

/// Creates the router of the webhook.
pub fn router(app: Arc<AppState>) -> Router {
    let webhook = |webhook: Webhook| {
        post(move |State(app): State<Arc<AppState>>, request: Request| {
            review(app, webhook, request)
        })
    };
    Router::new()
        .route(Webhook::Mutate.path(), webhook(Webhook::Mutate))
        .route(Webhook::Validate.path(), webhook(Webhook::Validate))
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
        Err(why) => HttpError::not_ready(why).into_response(),
    }
}

async fn metrics(State(app): State<Arc<AppState>>) -> Response {
    let kind = HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8");
    ([(CONTENT_TYPE, kind)], app.metrics.to_prometheus()).into_response()
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
    let refusal = HttpError::method_not_allowed(method.as_str(), uri.path());
    reject_unread(&app, refusal, request).await
}

/// Rejects a request without reading its body.
async fn reject_unread(app: &AppState, refusal: HttpError, request: Request) -> Response {
    body::discard_body(request.into_body(), &app.limits).await;
    count_and_respond(app, refusal)
}

fn count_and_respond(app: &AppState, refusal: HttpError) -> Response {
    app.metrics.count_http_error(refusal.status_code());
    tracing::warn!(
        code = refusal.status_code(),
        why = refusal.message(),
        "request rejected"
    );
    refusal.into_response()
}

async fn review(app: Arc<AppState>, webhook: Webhook, request: Request) -> Response {
    let Some(schemas) = app.schemas() else {
        let why = app.readiness().err().unwrap_or_default();
        return reject_unread(&app, HttpError::not_ready(why), request).await;
    };
    if let Err(refusal) = check_content_type(request.headers()) {
        return reject_unread(&app, refusal, request).await;
    }
    // The turn is acquired before the body is read, so that at most one body per turn is in memory.
    let waiting = app.metrics.begin_waiting();
    let turn = timeout(app.limits.queue, app.turns.acquire()).await;
    drop(waiting);
    let Ok(Ok(_turn)) = turn else {
        return reject_unread(&app, HttpError::busy(app.limits.queue), request).await;
    };
    let _answering = app.metrics.begin_answering();
    let body = match body::read_body(request.into_body(), &app.limits).await {
        Ok(body) => body,
        Err(refusal) => return count_and_respond(&app, refusal),
    };
    let start = Instant::now();
    match review::answer_review(webhook, &body, &schemas, &app.review_settings) {
        Ok(answer) => {
            let took = start.elapsed();
            app.metrics.count_review(webhook, &answer.summary, took);
            log_review(webhook, &answer.summary, took.as_micros());
            let kind = HeaderValue::from_static("application/json");
            ([(CONTENT_TYPE, kind)], answer.body).into_response()
        }
        Err(review::BadRequestError(problem)) => {
            count_and_respond(&app, HttpError::bad_request(problem))
        }
    }
}

/// Returns an error if the content type is not JSON; its parameters are ignored.
fn check_content_type(headers: &HeaderMap) -> Result<(), HttpError> {
    let found = headers.get(CONTENT_TYPE);
    let text = found.and_then(|found| found.to_str().ok());
    let essence = text.and_then(|text| text.split(';').next());
    match essence {
        Some(essence) if essence.trim().eq_ignore_ascii_case("application/json") => Ok(()),
        _ => Err(HttpError::unsupported_media_type(found)),
    }
}

/// Logs a line for each request: at `info` if something was changed, tolerated or rejected.
fn log_review(webhook: Webhook, facts: &ReviewSummary, micros: u128) {
    let ReviewSummary {
        uid,
        operation,
        kind,
        namespace,
        name,
        dry_run,
        changes,
        refused,
        ratcheted,
    } = facts;
    let webhook = webhook.name();
    let kind = kind.as_deref().unwrap_or("other");
    let allowed = refused.is_none();
    let refused = refused.as_deref().unwrap_or_default();
    let (changes, ratcheted) = (changes.join("; "), ratcheted.join("; "));
    let micros = u64::try_from(micros).unwrap_or(u64::MAX);
    macro_rules! say {
        ($level:ident) => {
            tracing::$level!(
                webhook, uid, operation, kind, namespace, name, dry_run, allowed, changes,
                ratcheted, refused, micros, "answered"
            )
        };
    }
    if allowed && changes.is_empty() && ratcheted.is_empty() {
        say!(debug);
    } else {
        say!(info);
    }
}
