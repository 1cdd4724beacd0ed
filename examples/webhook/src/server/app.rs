//! The state that all connections share: the current schemas, the limits, the metrics and the
//! readiness.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use tokio::sync::Semaphore;

use crate::admission::review::ReviewSettings;
use crate::admission::schemas::Schemas;
use crate::metrics::Metrics;

/// The limits on the number, the size and the duration of requests.
///
/// The memory for bodies is bounded by `max_concurrency` times `max_body_bytes`. The number of
/// parsed objects is bounded by the number of threads of the runtime, because a review is processed
/// without awaiting.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The maximum size of a body, in bytes.
    ///
    /// A review contains the new and the old object. An API server stores objects of at most 1.5
    /// MiB (etcd), so two objects have up to 3 MiB. 1 MiB remains for the rest of the review.
    pub max_body_bytes: usize,
    /// The maximum number of requests that are read and processed at once.
    pub max_concurrency: usize,
    /// The time that further requests wait for a permit.
    pub queue_timeout: Duration,
    /// The maximum number of connections. Further connections wait in the backlog of the system.
    pub max_connections: usize,
    /// The time limit of a TLS handshake.
    pub handshake_timeout: Duration,
    /// The time limit for receiving the headers of a request, from their first byte.
    pub header_timeout: Duration,
    /// The time limit for receiving a body.
    pub body_timeout: Duration,
    /// The time that a connection may be idle. API servers close idle connections after 90 s. The
    /// limit is longer, so that the webhook does not close a connection as a request arrives.
    pub idle_timeout: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_body_bytes: 4 << 20,
            max_concurrency: 32,
            queue_timeout: Duration::from_secs(2),
            max_connections: 500,
            handshake_timeout: Duration::from_secs(5),
            header_timeout: Duration::from_secs(5),
            body_timeout: Duration::from_secs(5),
            idle_timeout: Duration::from_secs(120),
        }
    }
}

/// The state that all connections share.
#[derive(Debug)]
pub struct AppState {
    /// The settings of normalization and validation.
    pub review_settings: ReviewSettings,
    /// The limits on requests.
    pub limits: Limits,
    /// The counters of responses.
    pub metrics: Metrics,
    /// The permits for reading and processing a request. There are `Limits::max_concurrency`.
    pub(crate) permits: Semaphore,
    schemas: RwLock<Option<Arc<Schemas>>>,
    is_stopping: AtomicBool,
}

impl AppState {
    /// Creates the state of a webhook without schemas, which is not ready.
    #[must_use]
    pub fn new(review_settings: ReviewSettings, limits: Limits) -> Self {
        Self {
            review_settings,
            limits,
            metrics: Metrics::default(),
            permits: Semaphore::new(limits.max_concurrency),
            schemas: RwLock::new(None),
            is_stopping: AtomicBool::new(false),
        }
    }

    /// Replaces the schemas.
    pub fn set_schemas(&self, new_schemas: Schemas) {
        let mut schemas = self.schemas.write().unwrap_or_else(PoisonError::into_inner);
        *schemas = Some(Arc::new(new_schemas));
    }

    /// Returns the current schemas.
    #[must_use]
    pub fn schemas(&self) -> Option<Arc<Schemas>> {
        let schemas = self.schemas.read().unwrap_or_else(PoisonError::into_inner);
        schemas.clone()
    }

    /// Marks the webhook as stopping: the webhook still processes requests, but reports that it is
    /// not ready.
    pub fn mark_stopping(&self) {
        self.is_stopping.store(true, Ordering::Relaxed);
    }

    /// Returns `Ok` if the webhook is ready for requests.
    ///
    /// # Errors
    ///
    /// Returns an error with the reason if the webhook is not ready.
    pub fn readiness(&self) -> Result<(), &'static str> {
        if self.is_stopping.load(Ordering::Relaxed) {
            Err("shutting down")
        } else if self.schemas().is_none() {
            Err("the schemas are not compiled yet")
        } else {
            Ok(())
        }
    }
}
