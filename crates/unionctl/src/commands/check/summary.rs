//! The summary of the reports on all objects.

use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};

use super::kind_counts::KindCounts;
use super::object_report::ObjectReport;
use crate::judge::objects::SkippedObjects;
use crate::output::print::{BAD, CommandStatus, GOOD, PLAIN, TextBuffer};
use crate::output::table::pluralize;

/// The reports on all objects.
#[derive(Debug, Default)]
pub(super) struct CheckSummary {
    reports: Vec<ObjectReport>,
    pub(super) skipped_objects: SkippedObjects,
}

impl CheckSummary {
    pub(super) fn add(&mut self, report: ObjectReport) {
        self.reports.push(report);
    }

    pub(super) fn command_status(&self) -> CommandStatus {
        let is_accepted = |report: &ObjectReport| report.reply.is_accepted();
        if self.reports.iter().all(is_accepted) {
            CommandStatus::Success
        } else {
            CommandStatus::Rejected
        }
    }

    /// Renders the full report on a single object, or else the noteworthy reports and a summary.
    pub(super) fn render(&self) -> TextBuffer {
        let mut text = TextBuffer::default();
        let skips_objects = self.skipped_objects != SkippedObjects::default();
        if let [report] = self.reports.as_slice()
            && !skips_objects
        {
            text.add_line(&report.title, PLAIN);
            report.add_to(&mut text, true);
            return text;
        }
        for report in self.reports.iter().filter(|report| report.is_noteworthy()) {
            text.add_line(&format!("{}: {}", report.file, report.title), PLAIN);
            report.add_to(&mut text, false);
            text.add_line("", PLAIN);
        }
        for line in KindCounts::from_reports(&self.reports).lines() {
            text.add_line(&line, PLAIN);
        }
        let SkippedObjects {
            skipped,
            unreadable,
        } = self.skipped_objects;
        if skipped > 0 {
            let objects = pluralize(skipped, "object");
            text.add_line(&format!("skipped: {objects} without a matching CRD"), PLAIN);
        }
        if unreadable > 0 {
            text.add_line(&format!("not read: {}", pluralize(unreadable, "file")), BAD);
        }
        match self.command_status() {
            CommandStatus::Success if unreadable > 0 => {}
            CommandStatus::Success => text.add_line("accepted", GOOD),
            CommandStatus::Rejected => text.add_line("rejected", BAD),
        }
        text
    }
}

impl Serialize for CheckSummary {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let is_accepted = |report: &&ObjectReport| report.reply.is_accepted();
        let accepted_count = self.reports.iter().filter(is_accepted).count();
        let mut map = serializer.serialize_map(Some(5))?;
        map.serialize_entry("objects", &self.reports)?;
        map.serialize_entry("accepted", &accepted_count)?;
        map.serialize_entry("refused", &(self.reports.len() - accepted_count))?;
        map.serialize_entry("skipped", &self.skipped_objects.skipped)?;
        map.serialize_entry("not_read", &self.skipped_objects.unreadable)?;
        map.end()
    }
}
