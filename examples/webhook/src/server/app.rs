//! The state that all connections share: the current schemas, the certificate, the limits, the
//! metrics and the readiness.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::{Duration, Instant};

use time::OffsetDateTime;
use tokio::sync::Semaphore;

pub use super::limits::Limits;
use super::limits::body::BodyMemory;
use super::limits::connections::Connections;
pub use super::readiness::NotReady;
use crate::admission::review::ReviewSettings;
use crate::admission::schemas::Schemas;
use crate::certificates::Validity;
use crate::metrics::{Gauges, Metrics};

/// The minimum time between two warnings of the same kind.
const WARNING_INTERVAL: Duration = Duration::from_secs(60);

/// The state that all connections share.
#[derive(Debug)]
pub struct AppState {
    /// The settings of normalization and validation.
    pub review_settings: ReviewSettings,
    /// The limits on requests.
    pub limits: Limits,
    /// The counters of responses.
    pub metrics: Metrics,
    /// The permits for processing a review. There are `Limits::max_concurrency`.
    pub review_permits: Arc<Semaphore>,
    pub(super) body_memory: BodyMemory,
    pub(super) connections: Arc<Connections>,
    pub(super) certificate_warnings: WarningGate,
    schemas: RwLock<Option<Arc<Schemas>>>,
    certificate: RwLock<Option<Validity>>,
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
            review_permits: Arc::new(Semaphore::new(limits.max_concurrency)),
            body_memory: BodyMemory::new(&limits),
            connections: Arc::new(Connections::new(limits)),
            certificate_warnings: WarningGate::default(),
            schemas: RwLock::new(None),
            certificate: RwLock::new(None),
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

    /// Sets the time in which the current certificate is valid.
    pub fn set_certificate(&self, validity: Validity) {
        let mut certificate = self
            .certificate
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        *certificate = Some(validity);
    }

    /// Returns the time in which the current certificate is valid, if it is known.
    #[must_use]
    pub fn certificate(&self) -> Option<Validity> {
        *self
            .certificate
            .read()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Marks the webhook as stopping: the webhook still processes requests, but reports that it is
    /// not ready, and closes each connection after its next response.
    pub fn mark_stopping(&self) {
        self.is_stopping.store(true, Ordering::SeqCst);
    }

    /// Returns true if the webhook is stopping.
    #[must_use]
    pub fn is_stopping(&self) -> bool {
        self.is_stopping.load(Ordering::SeqCst)
    }

    /// Returns `Ok` if the webhook is ready for requests.
    ///
    /// # Errors
    ///
    /// Returns an error with the reason if the webhook is not ready.
    pub fn readiness(&self) -> Result<(), NotReady> {
        let now = OffsetDateTime::now_utc();
        if self.is_stopping() {
            Err(NotReady::ShuttingDown)
        } else if self.schemas().is_none() {
            Err(NotReady::NoSchemas)
        } else if let Some(certificate) = self.certificate() {
            if certificate.has_expired(now) {
                Err(NotReady::CertificateExpired)
            } else if certificate.is_in_future(now) {
                Err(NotReady::CertificateNotYetValid)
            } else {
                Ok(())
            }
        } else {
            Ok(())
        }
    }

    /// Returns the kinds and versions whose CRD has disappeared.
    #[must_use]
    pub fn missing_crds(&self) -> Vec<String> {
        let schemas = self.schemas();
        schemas.map_or_else(Vec::new, |schemas| schemas.missing_versions())
    }

    /// Returns all metrics in the format of Prometheus.
    #[must_use]
    pub fn prometheus(&self) -> String {
        let now = OffsetDateTime::now_utc();
        self.metrics.to_prometheus(&Gauges {
            is_ready: self.readiness().is_ok(),
            certificate_days_left: self
                .certificate()
                .map(|certificate| certificate.days_left(now)),
            missing_crds: self.missing_crds(),
            connections: self.connections.count(),
            large_body_bytes: self.body_memory.reserved(),
        })
    }
}

/// Limits a warning to one per minute.
#[derive(Debug, Default)]
pub(super) struct WarningGate(Mutex<Option<Instant>>);

impl WarningGate {
    /// Returns true if the last warning was logged more than a minute ago.
    pub(super) fn is_due(&self) -> bool {
        let mut last_warning = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_due = last_warning.is_none_or(|time| time.elapsed() >= WARNING_INTERVAL);
        if is_due {
            *last_warning = Some(Instant::now());
        }
        is_due
    }
}
