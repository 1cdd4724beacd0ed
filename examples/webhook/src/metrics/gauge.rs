//! Values that go up and down.

use std::sync::atomic::{AtomicU64, Ordering};

use super::text::{MetricsText, escape_label};

/// The current state of the webhook, which its metrics show.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Gauges {
    /// True if the webhook is ready.
    pub is_ready: bool,
    /// The days until the certificate expires; negative after that.
    pub certificate_days_left: Option<f64>,
    /// The kinds and versions whose CRD has disappeared, such as `Backup.db.example.com/v1`.
    pub missing_crds: Vec<String>,
    /// The number of connections.
    pub connections: usize,
    /// The memory that is reserved for large bodies, in bytes.
    pub large_body_bytes: usize,
}

impl Gauges {
    /// Writes the values.
    pub(super) fn write(&self, text: &mut MetricsText) {
        text.add_family(
            "union_webhook_ready",
            "1 if the webhook is ready.",
            "gauge",
            u8::from(self.is_ready),
        );
        let name = "union_webhook_certificate_days_left";
        let help = "Days until the certificate expires; negative after that.";
        text.begin_family(name, help, "gauge");
        if let Some(days) = self.certificate_days_left {
            text.add_sample(name, "", days);
        }
        let name = "union_webhook_missing_crd";
        let help = "1 for each version of a kind whose CRD has disappeared.";
        text.begin_family(name, help, "gauge");
        for version in &self.missing_crds {
            text.add_sample(name, &format!("kind=\"{}\"", escape_label(version)), 1);
        }
        let name = "union_webhook_connections";
        text.add_family(name, "Open connections.", "gauge", self.connections);
        text.add_family(
            "union_webhook_large_body_bytes",
            "Memory that is reserved for large bodies.",
            "gauge",
            self.large_body_bytes,
        );
    }
}

/// A guard that counts an operation in a gauge until the guard is dropped.
#[derive(Debug)]
pub(crate) struct InFlightGuard<'m>(&'m AtomicU64);

impl<'m> InFlightGuard<'m> {
    pub(super) fn begin(gauge: &'m AtomicU64) -> Self {
        gauge.fetch_add(1, Ordering::Relaxed);
        Self(gauge)
    }
}

impl Drop for InFlightGuard<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}
