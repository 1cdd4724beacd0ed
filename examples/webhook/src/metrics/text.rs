//! The exposition format of Prometheus.

use std::fmt::{Display, Write as _};

/// Metrics in the exposition format of Prometheus.
#[derive(Debug, Default)]
pub(super) struct MetricsText(String);

impl MetricsText {
    /// Begins a family of metrics. `metric_type` is `counter`, `gauge` or `histogram`.
    pub(super) fn begin_family(&mut self, name: &str, help: &str, metric_type: &str) {
        // Writing to a String cannot fail.
        let _ = writeln!(self.0, "# HELP {name} {help}\n# TYPE {name} {metric_type}");
    }

    /// Adds a sample. `labels` has the labels without braces, or is empty.
    pub(super) fn add_sample(&mut self, name: &str, labels: &str, value: impl Display) {
        let _ = match labels {
            "" => writeln!(self.0, "{name} {value}"),
            labels => writeln!(self.0, "{name}{{{labels}}} {value}"),
        };
    }

    /// Adds a family with one sample.
    pub(super) fn add_family(
        &mut self,
        name: &str,
        help: &str,
        metric_type: &str,
        value: impl Display,
    ) {
        self.begin_family(name, help, metric_type);
        self.add_sample(name, "", value);
    }

    pub(super) fn into_string(self) -> String {
        self.0
    }
}

/// Escapes the value of a label.
pub(super) fn escape_label(value: &str) -> String {
    let value = value.replace('\\', "\\\\").replace('"', "\\\"");
    value.replace('\n', "\\n")
}
