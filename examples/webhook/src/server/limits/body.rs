//! Reads the bodies of requests, with limits on size, memory and time.

use std::sync::Arc;

use axum::body::{Body, Bytes, HttpBody as _};
use http_body_util::BodyExt as _;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout, timeout_at};

use super::limits::Limits;
use crate::server::http_error::HttpError;

/// The part of a body that needs no reservation, in bytes. Most reviews are smaller.
const SMALL_BODY_BYTES: usize = 64 << 10;

/// The multiple of the size limit that is read and discarded before a connection is closed. A
/// client that is still sending does not read the response.
const DISCARD_FACTOR: u64 = 4;

/// The memory that large bodies share.
#[derive(Debug)]
pub(crate) struct BodyMemory {
    /// One permit for each byte.
    free: Arc<Semaphore>,
    size: usize,
}

/// A body in memory, with its reservation.
#[derive(Debug)]
pub(crate) struct BufferedBody {
    pub(crate) bytes: Vec<u8>,
    /// Returns the memory when the body is dropped.
    _reservation: Option<OwnedSemaphorePermit>,
}

impl BodyMemory {
    pub(crate) fn new(limits: &Limits) -> Self {
        // A body of the maximum size must fit.
        let size = limits.max_body_memory.max(limits.max_body_bytes);
        let size = size.min(Semaphore::MAX_PERMITS).min(u32::MAX as usize);
        Self {
            free: Arc::new(Semaphore::new(size)),
            size,
        }
    }

    /// Returns the number of bytes that are reserved.
    pub(crate) fn reserved(&self) -> usize {
        self.size - self.free.available_permits()
    }

    /// Reserves memory for a body, or returns an error after a time limit.
    async fn reserve(
        &self,
        length: usize,
        limits: &Limits,
    ) -> Result<OwnedSemaphorePermit, HttpError> {
        let permits = u32::try_from(length.min(self.size)).unwrap_or(u32::MAX);
        let reserving = Arc::clone(&self.free).acquire_many_owned(permits);
        match timeout(limits.queue_timeout, reserving).await {
            Ok(Ok(permit)) => Ok(permit),
            _ => Err(HttpError::no_memory(limits.queue_timeout)),
        }
    }
}

/// Reads a body into memory. A large body reserves its whole length at once: bodies that reserved
/// memory bit by bit could wait for each other.
pub(crate) async fn read_body(
    mut body: Body,
    limits: &Limits,
    memory: &BodyMemory,
) -> Result<BufferedBody, HttpError> {
    match read_chunks(&mut body, limits, memory).await {
        Ok(buffered) => Ok(buffered),
        Err(error) => {
            if error.is_body_unread() {
                discard_body(body, limits).await;
            }
            Err(error)
        }
    }
}

async fn read_chunks(
    body: &mut Body,
    limits: &Limits,
    memory: &BodyMemory,
) -> Result<BufferedBody, HttpError> {
    let max_length = limits.max_body_bytes;
    let declared_length = body.size_hint().exact();
    let expected_length = declared_length.map_or(max_length, |length| {
        usize::try_from(length)
            .unwrap_or(usize::MAX)
            .min(max_length)
    });
    let mut deadline = Instant::now() + limits.body_timeout;
    let mut bytes = Vec::new();
    let mut reservation = None;
    loop {
        let next_chunk = timeout_at(deadline, next_chunk(body)).await;
        let next_chunk = next_chunk.map_err(|_| HttpError::body_timeout(limits.body_timeout))?;
        let Some(data) = next_chunk? else {
            return Ok(BufferedBody {
                bytes,
                _reservation: reservation,
            });
        };
        if data.len() > max_length - bytes.len() {
            return Err(HttpError::body_too_large(max_length));
        }
        let length = bytes.len() + data.len();
        if reservation.is_none() && length > SMALL_BODY_BYTES {
            let start = Instant::now();
            reservation = Some(memory.reserve(expected_length.max(length), limits).await?);
            // The time limit is for the client.
            deadline += start.elapsed();
        }
        if length > bytes.capacity() {
            // `content-length` may claim any length, so memory is used only as bytes arrive.
            let capacity = length.max(bytes.capacity() * 2).min(max_length);
            bytes.reserve_exact(capacity - bytes.len());
        }
        bytes.extend_from_slice(&data);
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
