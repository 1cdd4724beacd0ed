//! The distribution of durations.

use std::time::Duration;

/// The upper bounds of the buckets, in microseconds and as Prometheus prints them in seconds.
pub(super) const BUCKET_BOUNDS: [(u64, &str); 12] = [
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

/// The distribution of durations.
#[derive(Debug, Default)]
pub(super) struct Histogram {
    /// The number of durations above the previous bound and up to this bound, for each bound.
    pub(super) buckets: [u64; BUCKET_BOUNDS.len()],
    pub(super) count: u64,
    pub(super) total: Duration,
}

impl Histogram {
    /// Counts a duration.
    pub(super) fn add(&mut self, duration: Duration) {
        let micros = u64::try_from(duration.as_micros()).unwrap_or(u64::MAX);
        let bucket = BUCKET_BOUNDS.iter().position(|(bound, _)| micros <= *bound);
        self.count += 1;
        self.total = self.total.saturating_add(duration);
        if let Some(bucket) = bucket.and_then(|bucket| self.buckets.get_mut(bucket)) {
            *bucket += 1;
        }
    }
}
