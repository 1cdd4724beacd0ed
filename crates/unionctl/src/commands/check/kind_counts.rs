//! The numbers of accepted and rejected objects of each kind.

use std::collections::BTreeMap;

use super::object_report::ObjectReport;
use crate::output::table;

/// The counts, by kind.
#[derive(Debug, Default)]
pub(super) struct KindCounts {
    kinds: BTreeMap<String, OutcomeCounts>,
}

#[derive(Clone, Copy, Debug, Default)]
struct OutcomeCounts {
    accepted: usize,
    refused: usize,
    /// The number of accepted objects with tolerated errors.
    tolerated: usize,
    warned: usize,
}

impl KindCounts {
    pub(super) fn from_reports(reports: &[ObjectReport]) -> Self {
        let mut tally = Self::default();
        for report in reports {
            let count = tally.kinds.entry(report.kind.clone()).or_default();
            let judgement = &report.reply;
            let is_accepted = judgement.is_accepted();
            count.accepted += usize::from(is_accepted);
            count.refused += usize::from(!is_accepted);
            count.tolerated += usize::from(is_accepted && !judgement.ratcheted.is_empty());
            count.warned += usize::from(!judgement.warnings.is_empty());
        }
        tally
    }

    /// Returns the table, with a row for each kind, and a row for all if there are several.
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
            let mut all = OutcomeCounts::default();
            for count in self.kinds.values() {
                all.accepted += count.accepted;
                all.refused += count.refused;
                all.tolerated += count.tolerated;
                all.warned += count.warned;
            }
            rows.push(all.row("all"));
        }
        table::lines(&rows)
    }
}

impl OutcomeCounts {
    fn row(self, kind: &str) -> [String; 6] {
        [
            kind.to_owned(),
            (self.accepted + self.refused).to_string(),
            self.accepted.to_string(),
            self.tolerated.to_string(),
            self.warned.to_string(),
            self.refused.to_string(),
        ]
    }
}
