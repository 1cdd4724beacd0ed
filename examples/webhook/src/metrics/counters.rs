//! The counters of reviews, errors, connections and reloads.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::gauge::{Gauges, InFlightGuard};
use super::histogram::{BUCKET_BOUNDS, Histogram};
use super::text::{MetricsText, escape_label};
use crate::admission::review::{ReviewSummary, Verdict, Webhook};
use crate::log::DroppedLines;

/// The maximum number of kinds that have their own label.
const MAX_KINDS: usize = 500;

/// The label of all other kinds.
const OTHER: &str = "other";

/// The reason why the webhook closed a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ClosedConnection {
    /// The connection waited longest for its client when a new connection needed its place.
    Displaced,
    /// The peer has too many connections, and all of them are busy.
    PeerLimit,
    /// The client exceeded a time limit.
    TimedOut,
}

impl ClosedConnection {
    const fn label(self) -> &'static str {
        match self {
            Self::Displaced => "displaced",
            Self::PeerLimit => "peer_limit",
            Self::TimedOut => "timed_out",
        }
    }
}

/// The reason why a TLS handshake failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FailedHandshake {
    /// The client rejects the certificate of the webhook.
    CertificateRejected,
    /// Another error, such as a client that does not speak TLS.
    Other,
}

impl FailedHandshake {
    const fn label(self) -> &'static str {
        match self {
            Self::CertificateRejected => "certificate_rejected",
            Self::Other => "other",
        }
    }
}

/// The counters and gauges of the webhook.
#[derive(Debug, Default)]
pub struct Metrics {
    /// The log lines that were dropped.
    pub log_lines: Arc<DroppedLines>,
    reviews: Mutex<ReviewCounters>,
    /// The number of requests that were answered with an HTTP error, by status code.
    http_errors: Mutex<BTreeMap<u16, u64>>,
    closed_connections: Mutex<BTreeMap<ClosedConnection, u64>>,
    failed_handshakes: Mutex<BTreeMap<FailedHandshake, u64>>,
    reading: AtomicU64,
    waiting: AtomicU64,
    answering: AtomicU64,
    reloads: AtomicU64,
    failed_reloads: AtomicU64,
}

#[derive(Debug, Default)]
struct ReviewCounters {
    counts: BTreeMap<ReviewLabels, ReviewCounts>,
    latencies: BTreeMap<LatencyLabels, Histogram>,
    kinds: BTreeSet<String>,
}

/// The webhook, the operation and the kind of a review.
type ReviewLabels = (Webhook, &'static str, String);

/// The webhook, the kind and the verdict of a review.
type LatencyLabels = (Webhook, String, Verdict);

#[derive(Debug, Default)]
struct ReviewCounts {
    requests: u64,
    normalized: u64,
    rejected: u64,
    tolerated: u64,
}

impl Metrics {
    /// Counts a review and its result.
    pub fn count_review(&self, webhook: Webhook, summary: &ReviewSummary, duration: Duration) {
        let mut reviews = lock(&self.reviews);
        let kind = reviews.label(summary.kind.as_deref());
        let operation = match summary.operation {
            "" => OTHER,
            operation => operation,
        };
        let latency_labels = (webhook, kind.clone(), summary.verdict());
        let histogram = reviews.latencies.entry(latency_labels);
        histogram.or_default().add(duration);
        let counts = reviews.counts.entry((webhook, operation, kind));
        let counts = counts.or_default();
        counts.requests += 1;
        counts.normalized += u64::from(!summary.changes.is_empty());
        counts.rejected += u64::from(summary.rejection.is_some());
        counts.tolerated += u64::from(!summary.tolerated.is_empty());
    }

    /// Counts a request that is answered with an HTTP error instead of a review.
    pub fn count_http_error(&self, code: u16) {
        *lock(&self.http_errors).entry(code).or_default() += 1;
    }

    /// Counts a connection that the webhook closed.
    pub fn count_closed_connection(&self, reason: ClosedConnection) {
        *lock(&self.closed_connections).entry(reason).or_default() += 1;
    }

    /// Counts a TLS handshake that failed.
    pub fn count_failed_handshake(&self, reason: FailedHandshake) {
        *lock(&self.failed_handshakes).entry(reason).or_default() += 1;
    }

    /// Counts a successful reload of schemas and certificates.
    pub fn count_reload(&self) {
        self.reloads.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts a reload that failed.
    pub fn count_failed_reload(&self) {
        self.reloads.fetch_add(1, Ordering::Relaxed);
        self.failed_reloads.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts a request whose body is being read, until the guard is dropped.
    pub(crate) fn begin_reading(&self) -> InFlightGuard<'_> {
        InFlightGuard::begin(&self.reading)
    }

    /// Counts a request that waits for a permit, until the guard is dropped.
    pub(crate) fn begin_waiting(&self) -> InFlightGuard<'_> {
        InFlightGuard::begin(&self.waiting)
    }

    /// Counts a request that has a permit, until the guard is dropped.
    pub(crate) fn begin_answering(&self) -> InFlightGuard<'_> {
        InFlightGuard::begin(&self.answering)
    }

    /// Returns the number of requests whose bodies are being read.
    #[must_use]
    pub fn reading_count(&self) -> u64 {
        self.reading.load(Ordering::Relaxed)
    }

    /// Returns the number of requests that wait for a permit.
    #[must_use]
    pub fn waiting_count(&self) -> u64 {
        self.waiting.load(Ordering::Relaxed)
    }

    /// Returns the number of requests that have a permit.
    #[must_use]
    pub fn answering_count(&self) -> u64 {
        self.answering.load(Ordering::Relaxed)
    }

    /// Returns all metrics in the format of Prometheus, with the current state of the webhook.
    #[must_use]
    pub fn to_prometheus(&self, gauges: &Gauges) -> String {
        let mut text = MetricsText::default();
        {
            let reviews = lock(&self.reviews);
            reviews.write_counts(&mut text);
            reviews.write_latencies(&mut text);
        }
        self.write_failures(&mut text);
        self.write_requests_in_progress(&mut text);
        gauges.write(&mut text);
        text.into_string()
    }

    fn write_failures(&self, text: &mut MetricsText) {
        let name = "union_webhook_turned_away_total";
        let help = "Requests that were answered with an HTTP error, by status code.";
        text.begin_family(name, help, "counter");
        for (code, count) in &*lock(&self.http_errors) {
            text.add_sample(name, &format!("code=\"{code}\""), count);
        }
        let name = "union_webhook_closed_connections_total";
        let help = "Connections that the webhook closed because of a limit.";
        text.begin_family(name, help, "counter");
        for (reason, count) in &*lock(&self.closed_connections) {
            text.add_sample(name, &format!("reason=\"{}\"", reason.label()), count);
        }
        let name = "union_webhook_failed_handshakes_total";
        text.begin_family(name, "TLS handshakes that failed.", "counter");
        for (reason, count) in &*lock(&self.failed_handshakes) {
            text.add_sample(name, &format!("reason=\"{}\"", reason.label()), count);
        }
        let name = "union_webhook_dropped_log_lines_total";
        let help = "Log lines that were dropped: the queue was full, or the write failed.";
        text.begin_family(name, help, "counter");
        let counts = [
            ("queue_full", self.log_lines.queue_full()),
            ("write_failed", self.log_lines.write_failed()),
        ];
        for (reason, count) in counts {
            text.add_sample(name, &format!("reason=\"{reason}\""), count);
        }
    }

    fn write_requests_in_progress(&self, text: &mut MetricsText) {
        let gauges_and_counters = [
            (
                "union_webhook_reading",
                "Requests whose body is being read.",
                "gauge",
                &self.reading,
            ),
            (
                "union_webhook_waiting",
                "Requests in the queue.",
                "gauge",
                &self.waiting,
            ),
            (
                "union_webhook_answering",
                "Requests in progress.",
                "gauge",
                &self.answering,
            ),
            (
                "union_webhook_reloads_total",
                "Reloads of schemas and certificates.",
                "counter",
                &self.reloads,
            ),
            (
                "union_webhook_failed_reloads_total",
                "Reloads that failed, so that old schemas or certificates stay in use.",
                "counter",
                &self.failed_reloads,
            ),
        ];
        for (name, help, metric_type, value) in gauges_and_counters {
            text.add_family(name, help, metric_type, value.load(Ordering::Relaxed));
        }
    }
}

/// The name and the help text of a counter, and the count that it prints.
type MetricFamily = (&'static str, &'static str, fn(&ReviewCounts) -> u64);

const REVIEW_FAMILIES: [MetricFamily; 4] = [
    (
        "union_webhook_requests_total",
        "Reviews that were answered.",
        |counts| counts.requests,
    ),
    (
        "union_webhook_normalized_total",
        "Reviews whose object was changed by a patch.",
        |counts| counts.normalized,
    ),
    (
        "union_webhook_refused_total",
        "Reviews whose object was rejected.",
        |counts| counts.rejected,
    ),
    (
        "union_webhook_ratcheted_total",
        "Reviews whose object has tolerated errors.",
        |counts| counts.tolerated,
    ),
];

impl ReviewCounters {
    /// Returns the label of a kind: the kind itself, or [`OTHER`] if the kind is unknown, or if
    /// [`MAX_KINDS`] other kinds have labels.
    fn label(&mut self, kind: Option<&str>) -> String {
        let Some(kind) = kind else {
            return OTHER.to_owned();
        };
        if !self.kinds.contains(kind) {
            if self.kinds.len() >= MAX_KINDS {
                return OTHER.to_owned();
            }
            self.kinds.insert(kind.to_owned());
        }
        kind.to_owned()
    }

    fn write_counts(&self, text: &mut MetricsText) {
        for (name, help, read_count) in REVIEW_FAMILIES {
            text.begin_family(name, help, "counter");
            for ((webhook, operation, kind), counts) in &self.counts {
                let webhook = webhook.name();
                let kind = escape_label(kind);
                let labels =
                    format!("webhook=\"{webhook}\",operation=\"{operation}\",kind=\"{kind}\"");
                text.add_sample(name, &labels, read_count(counts));
            }
        }
    }

    fn write_latencies(&self, text: &mut MetricsText) {
        let name = "union_webhook_review_seconds";
        let help = "Time to answer a review, without reading the body.";
        text.begin_family(name, help, "histogram");
        for ((webhook, kind, verdict), histogram) in &self.latencies {
            let (webhook, kind) = (webhook.name(), escape_label(kind));
            let verdict = verdict.name();
            let labels = format!("webhook=\"{webhook}\",kind=\"{kind}\",verdict=\"{verdict}\"");
            let bucket = format!("{name}_bucket");
            let mut cumulative_count = 0;
            for ((_, bound), count) in BUCKET_BOUNDS.iter().zip(&histogram.buckets) {
                cumulative_count += count;
                text.add_sample(
                    &bucket,
                    &format!("{labels},le=\"{bound}\""),
                    cumulative_count,
                );
            }
            text.add_sample(&bucket, &format!("{labels},le=\"+Inf\""), histogram.count);
            let sum = histogram.total.as_secs_f64();
            text.add_sample(&format!("{name}_sum"), &labels, sum);
            text.add_sample(&format!("{name}_count"), &labels, histogram.count);
        }
    }
}

/// Locks counters. A panic of another thread cannot make the counters inconsistent.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
