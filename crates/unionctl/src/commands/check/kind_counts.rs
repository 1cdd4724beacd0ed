//! Counts accepted and rejected objects by kind.

use std::collections::BTreeMap;

use super::object_report::ObjectReport;
use crate::output::table;

/// The numbers of accepted and rejected objects, by kind.
#[derive(Debug, Default)]
pub(super) struct KindCounts {
    kinds: BTreeMap<String, OutcomeCounts>,
}

#[derive(Clone, Copy, Debug, Default)]
struct OutcomeCounts {
    accepted: usize,
    rejected: usize,
    /// The number of accepted objects with tolerated errors.
    tolerated: usize,
    warned: usize,
}

impl KindCounts {
    pub(super) fn from_reports(reports: &[ObjectReport]) -> Self {
        let mut counts = Self::default();
        for report in reports {
            let count = counts.kinds.entry(report.kind.clone()).or_default();
            let reply = &report.reply;
            let is_accepted = reply.is_accepted();
            count.accepted += usize::from(is_accepted);
            count.rejected += usize::from(!is_accepted);
            count.tolerated += usize::from(is_accepted && !reply.ratcheted.is_empty());
            count.warned += usize::from(!reply.warnings.is_empty());
        }
        counts
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
        rows.extend(self.kinds.iter().map(|(kind, count)| count.row(kind)));
        if self.kinds.len() > 1 {
            let mut total = OutcomeCounts::default();
            for count in self.kinds.values() {
                total.accepted += count.accepted;
                total.rejected += count.rejected;
                total.tolerated += count.tolerated;
                total.warned += count.warned;
            }
            rows.push(total.row("all"));
        }
        table::lines(&rows)
    }
}

impl OutcomeCounts {
    fn row(self, kind: &str) -> [String; 6] {
        [
            kind.to_owned(),
            (self.accepted + self.rejected).to_string(),
            self.accepted.to_string(),
            self.tolerated.to_string(),
            self.warned.to_string(),
            self.rejected.to_string(),
        ]
    }
}
