//! Reads the bodies of requests, with limits on size and time.

use axum::body::{Body, Bytes, HttpBody as _};
use http_body_util::BodyExt as _;
use tokio::time::timeout;

use crate::server::app::Limits;
use crate::server::http_error::HttpError;

/// The multiple of the size limit that is read and discarded before a connection is closed. A
/// client that is still sending does not read the response.
const DISCARD_FACTOR: u64 = 4;

/// Reads a body into memory.
pub(crate) async fn read_body(mut body: Body, limits: &Limits) -> Result<Vec<u8>, HttpError> {
    let declared_length = usize::try_from(body.size_hint().lower()).unwrap_or(usize::MAX);
    let mut bytes = Vec::new();
    let read_chunks = async {
        while let Some(data) = next_chunk(&mut body).await? {
            if data.len() > limits.max_body_bytes - bytes.len() {
                return Err(HttpError::body_too_large(limits.max_body_bytes));
            }
            if bytes.capacity() == 0 {
                // `content-length` may claim any length, so memory is reserved only after the first
                // bytes arrive.
                bytes.reserve_exact(declared_length.clamp(data.len(), limits.max_body_bytes));
            }
            bytes.extend_from_slice(&data);
        }
        Ok(())
    };
    let result = timeout(limits.body_timeout, read_chunks).await;
    match result.unwrap_or_else(|_| Err(HttpError::body_timeout(limits.body_timeout))) {
        Ok(()) => Ok(bytes),
        Err(error) => {
            drop(bytes);
            if error.is_body_too_large() {
                discard_body(body, limits).await;
            }
            Err(error)
        }
    }
}

/// Reads and discards the rest of a body for a limited time, so that the client reads the response.
pub(crate) async fn discard_body(mut body: Body, limits: &Limits) {
    let max_bytes = DISCARD_FACTOR * limits.max_body_bytes as u64;
    if body.size_hint().lower() > max_bytes {
        return;
    }
    let discard_chunks = async {
        let mut discarded_bytes = 0_u64;
        while discarded_bytes <= max_bytes
            && let Ok(Some(data)) = next_chunk(&mut body).await
        {
            discarded_bytes += data.len() as u64;
        }
    };
    // A client that takes longer does not read the response.
    let _ = timeout(limits.body_timeout, discard_chunks).await;
}

/// Returns the next bytes of a body, or `None` at its end.
async fn next_chunk(body: &mut Body) -> Result<Option<Bytes>, HttpError> {
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|error| HttpError::incomplete_body(&error))?;
        // Trailers are ignored.
        if let Ok(data) = frame.into_data() {
            return Ok(Some(data));
        }
    }
    Ok(None)
}
