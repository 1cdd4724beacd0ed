//! Counts accepted and rejected objects by kind.

use std::collections::BTreeMap;

use super::object_report::ObjectReport;
use crate::output::table;

/// The numbers of accepted and rejected objects, by kind.
#[derive(Debug, Default)]
pub(super) struct KindCounts {
    by_kind: BTreeMap<String, OutcomeCounts>,
}

#[derive(Clone, Copy, Debug, Default)]
struct OutcomeCounts {
    accepted: usize,
    rejected: usize,
    /// The number of accepted objects with tolerated errors.
    with_tolerated_errors: usize,
    with_warnings: usize,
}

impl KindCounts {
    pub(super) fn add(&mut self, report: &ObjectReport) {
        let kind_counts = self.by_kind.entry(report.kind.clone()).or_default();
        let reply = &report.reply;
        let is_accepted = reply.is_accepted();
        kind_counts.accepted += usize::from(is_accepted);
        kind_counts.rejected += usize::from(!is_accepted);
        kind_counts.with_tolerated_errors +=
            usize::from(is_accepted && !reply.ratcheted.is_empty());
        kind_counts.with_warnings += usize::from(!reply.warnings.is_empty());
    }

    pub(super) fn object_count(&self) -> usize {
        let counts = self.by_kind.values();
        counts.map(|counts| counts.accepted + counts.rejected).sum()
    }

    pub(super) fn rejected_count(&self) -> usize {
        self.by_kind.values().map(|counts| counts.rejected).sum()
    }

    /// Returns a table with a row for each kind, and a row with the totals if there are several
    /// kinds.
    pub(super) fn lines(&self) -> Vec<String> {
        let heading = [
            "kind",
            "objects",
            "accepted",
            "tolerated",
            "warned",
            "rejected",
        ];
        let mut rows = vec![heading.map(str::to_owned)];
        rows.extend(
            self.by_kind
                .iter()
                .map(|(kind, kind_counts)| kind_counts.row(kind)),
        );
        if self.by_kind.len() > 1 {
            let mut totals = OutcomeCounts::default();
            for kind_counts in self.by_kind.values() {
                totals.accepted += kind_counts.accepted;
                totals.rejected += kind_counts.rejected;
                totals.with_tolerated_errors += kind_counts.with_tolerated_errors;
                totals.with_warnings += kind_counts.with_warnings;
            }
            rows.push(totals.row("all"));
        }
        table::render_lines(&rows)
    }
}

impl OutcomeCounts {
    fn row(self, kind: &str) -> [String; 6] {
        [
            kind.to_owned(),
            (self.accepted + self.rejected).to_string(),
            self.accepted.to_string(),
            self.with_tolerated_errors.to_string(),
            self.with_warnings.to_string(),
            self.rejected.to_string(),
        ]
    }
}
