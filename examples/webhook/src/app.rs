//! What all connections share: the schemas of now, the limits, the counters, whether it is ready.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use tokio::sync::Semaphore;

use crate::metrics::Metrics;
use crate::review::Rules;
use crate::schemas::Schemas;

/// How much may be asked at once, and how long it may take.
///
/// Bodies in memory are bounded by `concurrency` times `body`; objects that were read from them by the number of threads
/// of the runtime, for a review is answered in one go.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// How large a body may be, in bytes.
    ///
    /// A review holds the new object and the old one. What an API server stores is at most 1.5 MiB (etcd), so 3 MiB are
    /// two such objects, and 1 MiB more is for what stands around them.
    pub body: usize,
    /// How many requests are read and answered at once.
    pub concurrency: usize,
    /// How long others wait for their turn.
    pub queue: Duration,
    /// How many connections there may be; others wait in the backlog of the system.
    pub connections: usize,
    /// How long a TLS handshake may take.
    pub handshake: Duration,
    /// How long a header may take, from its first byte.
    pub header: Duration,
    /// How long a body may take.
    pub read: Duration,
    /// How long a connection may wait for its next request: longer than API servers keep one (90 s), so that none is closed
    /// under a request.
    pub idle: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            body: 4 << 20,
            concurrency: 32,
            queue: Duration::from_secs(2),
            connections: 500,
            handshake: Duration::from_secs(5),
            header: Duration::from_secs(5),
            read: Duration::from_secs(5),
            idle: Duration::from_secs(120),
        }
    }
}

/// What all connections share.
#[derive(Debug)]
pub struct App {
    /// How objects are judged.
    pub rules: Rules,
    /// How much may be asked.
    pub limits: Limits,
    /// What was answered.
    pub metrics: Metrics,
    /// The turns of requests.
    pub(crate) turns: Semaphore,
    schemas: RwLock<Option<Arc<Schemas>>>,
    is_stopping: AtomicBool,
}

impl App {
    /// One without schemas: it is not ready.
    #[must_use]
    pub fn new(rules: Rules, limits: Limits) -> Self {
        Self {
            rules,
            limits,
            metrics: Metrics::default(),
            turns: Semaphore::new(limits.concurrency),
            schemas: RwLock::new(None),
            is_stopping: AtomicBool::new(false),
        }
    }

    /// Judges by these schemas from now on.
    pub fn set_schemas(&self, schemas: Schemas) {
        let mut current = self.schemas.write().unwrap_or_else(PoisonError::into_inner);
        *current = Some(Arc::new(schemas));
    }

    /// The schemas of now.
    #[must_use]
    pub fn schemas(&self) -> Option<Arc<Schemas>> {
        let current = self.schemas.read().unwrap_or_else(PoisonError::into_inner);
        current.clone()
    }

    /// Says that it is about to stop: it answers all the same, and is not ready any more.
    pub fn stop(&self) {
        self.is_stopping.store(true, Ordering::Relaxed);
    }

    /// Whether requests should come here; if not, why.
    ///
    /// # Errors
    ///
    /// What it waits for.
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
