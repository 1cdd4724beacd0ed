//! The reports on all objects, with a summary.

use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};

use super::report::Report;
use super::tally::Tally;
use crate::judge::objects::LeftOut;
use crate::output::output::{BAD, GOOD, PLAIN, Text, Verdict};
use crate::output::table::count;

/// The reports on all objects.
#[derive(Debug, Default)]
pub(super) struct Reports {
    reports: Vec<Report>,
    pub(super) left_out: LeftOut,
}

impl Reports {
    pub(super) fn add(&mut self, report: Report) {
        self.reports.push(report);
    }

    pub(super) fn verdict(&self) -> Verdict {
        let is_accepted = |report: &Report| report.judgement.is_accepted();
        if self.reports.iter().all(is_accepted) {
            Verdict::Fine
        } else {
            Verdict::Refused
        }
    }

    /// Returns the whole report on a single object, or the noteworthy reports on several objects
    /// with a summary.
    pub(super) fn text(&self) -> Text {
        let mut text = Text::default();
        if let ([only], true) = (self.reports.as_slice(), self.left_out == LeftOut::default()) {
            text.line(&only.title, PLAIN);
            only.add_to(&mut text, true);
            return text;
        }
        for report in self.reports.iter().filter(|report| report.is_noteworthy()) {
            text.line(&format!("{}: {}", report.file, report.title), PLAIN);
            report.add_to(&mut text, false);
            text.line("", PLAIN);
        }
        for line in Tally::of(&self.reports).lines() {
            text.line(&line, PLAIN);
        }
        let LeftOut { skipped, unread } = self.left_out;
        if skipped > 0 {
            let skipped = count(skipped, "object");
            text.line(&format!("skipped: {skipped} without a matching CRD"), PLAIN);
        }
        if unread > 0 {
            text.line(&format!("not read: {}", count(unread, "file")), BAD);
        }
        match self.verdict() {
            Verdict::Fine if unread > 0 => {}
            Verdict::Fine => text.line("accepted", GOOD),
            Verdict::Refused => text.line("rejected", BAD),
        }
        text
    }
}

impl Serialize for Reports {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let is_accepted = |report: &&Report| report.judgement.is_accepted();
        let accepted = self.reports.iter().filter(is_accepted).count();
        let mut map = serializer.serialize_map(Some(5))?;
        map.serialize_entry("objects", &self.reports)?;
        map.serialize_entry("accepted", &accepted)?;
        map.serialize_entry("refused", &(self.reports.len() - accepted))?;
        map.serialize_entry("skipped", &self.left_out.skipped)?;
        map.serialize_entry("not_read", &self.left_out.unread)?;
        map.end()
    }
}
