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

use crate::app::App;
use crate::body;
use crate::refusal::Refusal;
use crate::review::{self, Facts, Webhook};

/// Creates the router of the webhook.
pub fn router(app: Arc<App>) -> Router {
    let webhook = |webhook: Webhook| {
        post(move |State(app): State<Arc<App>>, request: Request| review(app, webhook, request))
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

async fn readiness(State(app): State<Arc<App>>) -> Response {
    match app.readiness() {
        Ok(()) => "ok\n".into_response(),
        Err(why) => Refusal::not_ready(why).into_response(),
    }
}

async fn metrics(State(app): State<Arc<App>>) -> Response {
    let kind = HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8");
    ([(CONTENT_TYPE, kind)], app.metrics.text()).into_response()
}

async fn unknown_path(State(app): State<Arc<App>>, uri: Uri, request: Request) -> Response {
    turn_away(&app, Refusal::unknown_path(uri.path()), request).await
}

async fn wrong_method(
    State(app): State<Arc<App>>,
    method: Method,
    uri: Uri,
    request: Request,
) -> Response {
    let refusal = Refusal::wrong_method(method.as_str(), uri.path());
    turn_away(&app, refusal, request).await
}

/// Rejects a request without reading its body.
async fn turn_away(app: &App, refusal: Refusal, request: Request) -> Response {
    body::throw_away(request.into_body(), &app.limits).await;
    counted(app, refusal)
}

fn counted(app: &App, refusal: Refusal) -> Response {
    app.metrics.turned_away(refusal.code());
    tracing::warn!(
        code = refusal.code(),
        why = refusal.text(),
        "request rejected"
    );
    refusal.into_response()
}

async fn review(app: Arc<App>, webhook: Webhook, request: Request) -> Response {
    let Some(schemas) = app.schemas() else {
        let why = app.readiness().err().unwrap_or_default();
        return turn_away(&app, Refusal::not_ready(why), request).await;
    };
    if let Err(refusal) = check_type(request.headers()) {
        return turn_away(&app, refusal, request).await;
    }
    // The turn is acquired before the body is read, so that at most one body per turn is in memory.
    let waiting = app.metrics.waiting();
    let turn = timeout(app.limits.queue, app.turns.acquire()).await;
    drop(waiting);
    let Ok(Ok(_turn)) = turn else {
        return turn_away(&app, Refusal::busy(app.limits.queue), request).await;
    };
    let _answering = app.metrics.answering();
    let body = match body::read(request.into_body(), &app.limits).await {
        Ok(body) => body,
        Err(refusal) => return counted(&app, refusal),
    };
    let start = Instant::now();
    match review::answer(webhook, &body, &schemas, &app.rules) {
        Ok(answer) => {
            let took = start.elapsed();
            app.metrics.answered(webhook, &answer.facts, took);
            log(webhook, &answer.facts, took.as_micros());
            let kind = HeaderValue::from_static("application/json");
            ([(CONTENT_TYPE, kind)], answer.body).into_response()
        }
        Err(review::Unreadable(problem)) => counted(&app, Refusal::unreadable(problem)),
    }
}

/// Returns an error if the content type is not JSON; its parameters are ignored.
fn check_type(headers: &HeaderMap) -> Result<(), Refusal> {
    let found = headers.get(CONTENT_TYPE);
    let text = found.and_then(|found| found.to_str().ok());
    let essence = text.and_then(|text| text.split(';').next());
    match essence {
        Some(essence) if essence.trim().eq_ignore_ascii_case("application/json") => Ok(()),
        _ => Err(Refusal::wrong_type(found)),
    }
}

/// Logs a line for each request: at `info` if something was changed, tolerated or rejected.
fn log(webhook: Webhook, facts: &Facts, micros: u128) {
    let Facts {
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
