//! Requests without a review: they are answered by an HTTP status and one line, which API servers
//! pass on.

use std::time::Duration;

use axum::http::header::{CONNECTION, CONTENT_TYPE, RETRY_AFTER};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};

/// The reason for which a request gets no review.
#[derive(Debug)]
pub(crate) struct HttpError {
    code: StatusCode,
    text: String,
}

impl HttpError {
    fn new(code: StatusCode, text: impl Into<String>) -> Self {
        let text = text.into();
        Self { code, text }
    }

    pub(crate) fn bad_request(text: String) -> Self {
        Self::new(StatusCode::BAD_REQUEST, text)
    }

    pub(crate) fn incomplete_body(error: &dyn std::fmt::Display) -> Self {
        let text = format!("incomplete body: {error}");
        Self::new(StatusCode::BAD_REQUEST, text)
    }

    pub(crate) fn unknown_path(path: &str) -> Self {
        let text = format!(
            "unknown path {path}; expected /mutate, /validate, /healthz, /readyz or /metrics"
        );
        Self::new(StatusCode::NOT_FOUND, text)
    }

    pub(crate) fn method_not_allowed(method: &str, path: &str) -> Self {
        let text =
            format!("{path} does not support {method}; the header `allow` lists the methods");
        Self::new(StatusCode::METHOD_NOT_ALLOWED, text)
    }

    pub(crate) fn body_timeout(most: Duration) -> Self {
        let text = format!("the body was not complete after {most:?}");
        Self::new(StatusCode::REQUEST_TIMEOUT, text)
    }

    pub(crate) fn body_too_large(most: usize) -> Self {
        let text = format!(
            "the body is larger than {most} bytes; send a smaller object, or raise --max-body-bytes"
        );
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, text)
    }

    pub(crate) fn is_body_too_large(&self) -> bool {
        self.code == StatusCode::PAYLOAD_TOO_LARGE
    }

    pub(crate) fn unsupported_media_type(found: Option<&HeaderValue>) -> Self {
        let found = found.map_or_else(|| "none".to_owned(), |found| format!("{found:?}"));
        let text = format!("content-type must be application/json, not {found}");
        Self::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, text)
    }

    pub(crate) fn busy(most: Duration) -> Self {
        let text = format!("too many requests: this one waited for {most:?}; try again");
        Self::new(StatusCode::SERVICE_UNAVAILABLE, text)
    }

    pub(crate) fn not_ready(why: &str) -> Self {
        let text = format!("not ready: {why}; try again");
        Self::new(StatusCode::SERVICE_UNAVAILABLE, text)
    }

    pub(crate) fn status_code(&self) -> u16 {
        self.code.as_u16()
    }

    pub(crate) fn message(&self) -> &str {
        &self.text
    }
}

impl IntoResponse for HttpError {
    fn into_response(self) -> Response {
        let code = self.code;
        let mut response = (code, self.text + "\n").into_response();
        let headers = response.headers_mut();
        let text = HeaderValue::from_static("text/plain; charset=utf-8");
        headers.insert(CONTENT_TYPE, text);
        if code == StatusCode::SERVICE_UNAVAILABLE {
            headers.insert(RETRY_AFTER, HeaderValue::from_static("1"));
        }
        if matches!(
            code,
            StatusCode::REQUEST_TIMEOUT | StatusCode::PAYLOAD_TOO_LARGE
        ) {
            // The rest of the body is not read.
            headers.insert(CONNECTION, HeaderValue::from_static("close"));
        }
        response
    }
}
