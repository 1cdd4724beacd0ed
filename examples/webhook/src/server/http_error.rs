//! HTTP errors, for requests that do not contain a review. The body of the response is one line,
//! which API servers pass on to their clients.

use std::time::Duration;

use axum::http::header::{CONNECTION, CONTENT_TYPE, RETRY_AFTER};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};

use super::readiness::NotReady;

/// The reason of [`HttpError::no_memory`].
const NO_MEMORY: &str = "NoMemory";

/// An HTTP error with its message.
#[derive(Debug)]
pub(super) struct HttpError {
    code: StatusCode,
    /// The reason in log lines.
    reason: &'static str,
    message: String,
}

impl HttpError {
    fn new(code: StatusCode, reason: &'static str, message: impl Into<String>) -> Self {
        let message = message.into();
        Self {
            code,
            reason,
            message,
        }
    }

    pub(super) fn bad_request(message: String) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "InvalidReview", message)
    }

    pub(super) fn incomplete_body(error: &dyn std::fmt::Display) -> Self {
        let message = format!("incomplete body: {error}");
        Self::new(StatusCode::BAD_REQUEST, "IncompleteBody", message)
    }

    pub(super) fn unknown_path(path: &str) -> Self {
        let message = format!(
            "unknown path {path}; expected /mutate, /validate, /healthz, /readyz or /metrics"
        );
        Self::new(StatusCode::NOT_FOUND, "UnknownPath", message)
    }

    pub(super) fn unknown_probe_path(path: &str) -> Self {
        let message = format!("unknown path {path}; expected /healthz, /readyz or /metrics");
        Self::new(StatusCode::NOT_FOUND, "UnknownPath", message)
    }

    pub(super) fn method_not_allowed(method: &str, path: &str) -> Self {
        let message =
            format!("{path} does not support {method}; the header `allow` lists the methods");
        Self::new(StatusCode::METHOD_NOT_ALLOWED, "MethodNotAllowed", message)
    }

    pub(super) fn body_timeout(limit: Duration) -> Self {
        let message = format!("the body was not complete after {limit:?}");
        Self::new(StatusCode::REQUEST_TIMEOUT, "BodyTimeout", message)
    }

    pub(super) fn body_too_large(limit: usize) -> Self {
        let message = format!(
            "the body is larger than {limit} bytes; send a smaller object, or raise --max-body-bytes"
        );
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, "BodyTooLarge", message)
    }

    /// Returns true if the client may still be sending the body, and therefore not read the
    /// response.
    pub(super) fn is_body_unread(&self) -> bool {
        self.code == StatusCode::PAYLOAD_TOO_LARGE || self.reason == NO_MEMORY
    }

    pub(super) fn unsupported_media_type(content_type: Option<&HeaderValue>) -> Self {
        let content_type = content_type.map_or_else(
            || "none".to_owned(),
            |content_type| format!("{content_type:?}"),
        );
        let message = format!("content-type must be application/json, not {content_type}");
        Self::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "UnsupportedMediaType",
            message,
        )
    }

    pub(super) fn busy(limit: Duration) -> Self {
        let message = format!("too many requests: this one waited for {limit:?}; try again");
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "Busy", message)
    }

    pub(super) fn no_memory(limit: Duration) -> Self {
        let message = format!(
            "too many large bodies: this one waited for {limit:?}; try again, or raise --body-memory"
        );
        Self::new(StatusCode::SERVICE_UNAVAILABLE, NO_MEMORY, message)
    }

    pub(super) fn internal() -> Self {
        let message = "the review was not processed because of an error in the webhook";
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "InternalError", message)
    }

    pub(super) fn not_ready(reason: NotReady) -> Self {
        let message = format!("not ready: {reason}; try again");
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "NotReady", message)
    }

    pub(super) fn status_code(&self) -> u16 {
        self.code.as_u16()
    }

    pub(super) const fn reason(&self) -> &'static str {
        self.reason
    }

    pub(super) fn message(&self) -> &str {
        &self.message
    }
}

impl IntoResponse for HttpError {
    fn into_response(self) -> Response {
        let code = self.code;
        let mut response = (code, self.message + "\n").into_response();
        let headers = response.headers_mut();
        let content_type = HeaderValue::from_static("text/plain; charset=utf-8");
        headers.insert(CONTENT_TYPE, content_type);
        if code == StatusCode::SERVICE_UNAVAILABLE {
            headers.insert(RETRY_AFTER, HeaderValue::from_static("1"));
        }
        if matches!(
            code,
            StatusCode::REQUEST_TIMEOUT | StatusCode::PAYLOAD_TOO_LARGE
        ) {
            // The rest of the body is unread, so the connection cannot serve another request.
            headers.insert(CONNECTION, HeaderValue::from_static("close"));
        }
        response
    }
}
