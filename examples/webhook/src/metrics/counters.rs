//! The metrics of the webhook, in the text format of Prometheus.
//!
//! The number of labels is bounded: only known kinds have labels, and at most `MAX_KINDS` kinds
//! get a label in the lifetime of the process.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::admission::review::{ReviewSummary, Webhook};

/// The maximum number of kinds that have their own label.
const MAX_KINDS: usize = 500;

/// The label of all other kinds.
const OTHER: &str = "other";

/// The upper bounds of the histogram, in microseconds.
const BUCKET_BOUNDS: [(u64, &str); 12] = [
    (50, "0.00005"),
    (100, "0.0001"),
    (250, "0.00025"),
    (500, "0.0005"),
    (1_000, "0.001"),
    (2_500, "0.0025"),
    (5_000, "0.005"),
    (10_000, "0.01"),
    (50_000, "0.05"),
    (250_000, "0.25"),
    (1_000_000, "1"),
    (10_000_000, "10"),
];

/// The counters and gauges of the webhook.
#[derive(Debug, Default)]
pub struct Metrics {
    reviews: Mutex<ReviewCounters>,
    /// The number of requests that were answered with an HTTP error, by status code.
    http_errors: Mutex<BTreeMap<u16, u64>>,
    /// The durations of reviews, in the order of [`Webhook::ALL`].
    latencies: [Histogram; 2],
    waiting: AtomicU64,
    answering: AtomicU64,
    reloads: AtomicU64,
    failed_reloads: AtomicU64,
}

#[derive(Debug, Default)]
struct ReviewCounters {
    counts: BTreeMap<ReviewLabels, ReviewCounts>,
    kinds: BTreeSet<String>,
}

/// The webhook, the operation and the kind of a review.
type ReviewLabels = (Webhook, &'static str, String);

#[derive(Debug, Default)]
struct ReviewCounts {
    requests: u64,
    normalized: u64,
    rejected: u64,
    tolerated: u64,
}

/// The distribution of durations.
#[derive(Debug, Default)]
struct Histogram {
    /// The number of durations above the previous bound and up to this bound, for each bound.
    buckets: [AtomicU64; BUCKET_BOUNDS.len()],
    count: AtomicU64,
    total_micros: AtomicU64,
}

/// A guard that counts an operation in a gauge until the guard is dropped.
#[derive(Debug)]
pub(crate) struct InFlightGuard<'m>(&'m AtomicU64);

impl<'m> InFlightGuard<'m> {
    fn begin(gauge: &'m AtomicU64) -> Self {
        gauge.fetch_add(1, Ordering::Relaxed);
        Self(gauge)
    }
}

impl Drop for InFlightGuard<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Metrics {
    /// Counts a review and its result.
    pub fn count_review(&self, webhook: Webhook, summary: &ReviewSummary, duration: Duration) {
        self.latencies[webhook as usize].add(duration);
        let mut reviews = lock(&self.reviews);
        let kind = reviews.label(summary.kind.as_deref());
        let operation = match summary.operation {
            "" => OTHER,
            operation => operation,
        };
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

    /// Counts a successful reload of schemas and certificates.
    pub fn count_reload(&self) {
        self.reloads.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts a reload that failed.
    pub fn count_failed_reload(&self) {
        self.reloads.fetch_add(1, Ordering::Relaxed);
        self.failed_reloads.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts a request that waits for a permit, until the guard is dropped.
    pub(crate) fn begin_waiting(&self) -> InFlightGuard<'_> {
        InFlightGuard::begin(&self.waiting)
    }

    /// Counts a request that has a permit, until the guard is dropped. Its body may be in memory.
    pub(crate) fn begin_answering(&self) -> InFlightGuard<'_> {
        InFlightGuard::begin(&self.answering)
    }

    /// Returns the number of requests that wait for a permit.
    #[must_use]
    pub fn waiting_count(&self) -> u64 {
        self.waiting.load(Ordering::Relaxed)
    }

    /// Returns the number of requests that have a permit. No other bodies are in memory.
    #[must_use]
    pub fn answering_count(&self) -> u64 {
        self.answering.load(Ordering::Relaxed)
    }

    /// Returns all metrics in the format of Prometheus.
    #[must_use]
    pub fn to_prometheus(&self) -> String {
        let mut text = String::new();
        {
            let reviews = lock(&self.reviews);
            for (name, help, read_count) in REVIEW_FAMILIES {
                write_family(&mut text, name, help, "counter");
                for ((webhook, operation, kind), counts) in &reviews.counts {
                    let webhook = webhook.name();
                    let kind = escape_label(kind);
                    let count = read_count(counts);
                    let labels =
                        format!("webhook=\"{webhook}\",operation=\"{operation}\",kind=\"{kind}\"");
                    write_line(&mut text, name, &labels, count);
                }
            }
        }
        let name = "union_webhook_turned_away_total";
        write_family(
            &mut text,
            name,
            "Requests that were answered with an HTTP error, by status code.",
            "counter",
        );
        for (code, count) in &*lock(&self.http_errors) {
            write_line(&mut text, name, &format!("code=\"{code}\""), *count);
        }
        self.write_latencies(&mut text);
        let gauges_and_counters = [
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
            write_family(&mut text, name, help, metric_type);
            write_line(&mut text, name, "", value.load(Ordering::Relaxed));
        }
        text
    }

    fn write_latencies(&self, text: &mut String) {
        let name = "union_webhook_review_seconds";
        write_family(
            text,
            name,
            "Time to answer a review, without reading the body.",
            "histogram",
        );
        for (webhook, histogram) in Webhook::ALL.into_iter().zip(&self.latencies) {
            let labels = format!("webhook=\"{}\"", webhook.name());
            let bucket = format!("{name}_bucket");
            let mut cumulative_count = 0;
            for ((_, bound), count) in BUCKET_BOUNDS.iter().zip(&histogram.buckets) {
                cumulative_count += count.load(Ordering::Relaxed);
                write_line(
                    text,
                    &bucket,
                    &format!("{labels},le=\"{bound}\""),
                    cumulative_count,
                );
            }
            // Other threads count while the buckets are read, so the total may lag behind the
            // buckets. Prometheus requires that no bucket exceeds the total.
            let count = histogram
                .count
                .load(Ordering::Relaxed)
                .max(cumulative_count);
            write_line(text, &bucket, &format!("{labels},le=\"+Inf\""), count);
            let sum = Duration::from_micros(histogram.total_micros.load(Ordering::Relaxed));
            // Writing to a String cannot fail.
            let _ = writeln!(text, "{name}_sum{{{labels}}} {}", sum.as_secs_f64());
            write_line(text, &format!("{name}_count"), &labels, count);
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
}

impl Histogram {
    /// Counts a duration.
    fn add(&self, duration: Duration) {
        let micros = u64::try_from(duration.as_micros()).unwrap_or(u64::MAX);
        let bucket = BUCKET_BOUNDS.iter().position(|(bound, _)| micros <= *bound);
        self.count.fetch_add(1, Ordering::Relaxed);
        self.total_micros.fetch_add(micros, Ordering::Relaxed);
        if let Some(bucket) = bucket.and_then(|bucket| self.buckets.get(bucket)) {
            bucket.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// Locks counters. A panic of another thread cannot make the counters inconsistent.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn write_family(text: &mut String, name: &str, help: &str, metric_type: &str) {
    // Writing to a String cannot fail.
    let _ = writeln!(text, "# HELP {name} {help}\n# TYPE {name} {metric_type}");
}

fn write_line(text: &mut String, name: &str, labels: &str, count: u64) {
    let _ = match labels {
        "" => writeln!(text, "{name} {count}"),
        labels => writeln!(text, "{name}{{{labels}}} {count}"),
    };
}

/// Escapes the value of a label.
fn escape_label(value: &str) -> String {
    let value = value.replace('\\', "\\\\").replace('"', "\\\"");
    value.replace('\n', "\\n")
}
