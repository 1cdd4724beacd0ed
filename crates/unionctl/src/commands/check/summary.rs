//! The summary of the reports on all objects.

use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};

use super::kind_counts::KindCounts;
use super::object_report::ObjectReport;
use crate::error::CommandError;
use crate::judge::skipped_objects::SkippedObjects;
use crate::output::print::{
    self, BAD, CHANGED, CommandStatus, GOOD, PLAIN, TextBuffer, TextOrJson,
};
use crate::output::table::pluralize;

/// The reports on all objects. In text, reports without errors and warnings are only counted, so
/// that the memory does not depend on the number of objects.
#[derive(Debug)]
pub(super) struct CheckSummary {
    format: TextOrJson,
    /// True if objects that are not checked are errors.
    has_strict_kinds: bool,
    /// All reports in JSON. In text, the first report, while it is the only report.
    reports: Vec<ObjectReport>,
    /// The reports with errors or warnings, in text.
    noteworthy_reports: TextBuffer,
    counts: KindCounts,
    pub(super) skipped_objects: SkippedObjects,
}

impl CheckSummary {
    pub(super) fn new(format: TextOrJson, has_strict_kinds: bool) -> Self {
        Self {
            format,
            has_strict_kinds,
            reports: Vec::new(),
            noteworthy_reports: TextBuffer::default(),
            counts: KindCounts::default(),
            skipped_objects: SkippedObjects::default(),
        }
    }

    pub(super) fn add(&mut self, report: ObjectReport) {
        self.counts.add(&report);
        if self.format == TextOrJson::Json || self.counts.object_count() == 1 {
            self.reports.push(report);
            return;
        }
        for report in self.reports.drain(..).chain([report]) {
            add_noteworthy(&report, &mut self.noteworthy_reports);
        }
    }

    pub(super) fn command_status(&self) -> CommandStatus {
        let is_kind_error =
            self.has_strict_kinds && self.skipped_objects.unchecked.object_count() > 0;
        if self.counts.rejected_count() == 0 && !is_kind_error {
            CommandStatus::Success
        } else {
            CommandStatus::Rejected
        }
    }

    pub(super) fn print(&mut self) -> Result<(), CommandError> {
        match self.format {
            TextOrJson::Json => print::json(&[&*self]),
            TextOrJson::Text => self.render().print(),
        }
    }

    /// Renders the full report on a single object, or else the noteworthy reports and a summary.
    fn render(&mut self) -> TextBuffer {
        let skips_objects = self.skipped_objects != SkippedObjects::default();
        let mut text = std::mem::take(&mut self.noteworthy_reports);
        if let [report] = self.reports.as_slice() {
            if !skips_objects {
                text.add_line(&report.title, PLAIN);
                report.add_to(&mut text, true);
                return text;
            }
            add_noteworthy(report, &mut text);
        }
        if self.counts.object_count() == 0 {
            text.add_line("0 objects", PLAIN);
        } else {
            for line in self.counts.lines() {
                text.add_line(&line, PLAIN);
            }
        }
        let SkippedObjects {
            skipped,
            unchecked,
            unreadable,
        } = &self.skipped_objects;
        if *skipped > 0 {
            let objects = pluralize(*skipped, "object");
            text.add_line(&format!("skipped: {objects} without a matching CRD"), PLAIN);
        }
        let style = if self.has_strict_kinds { BAD } else { CHANGED };
        text.add_section("not checked", style, unchecked.lines());
        if *unreadable > 0 {
            text.add_line(
                &format!("not read: {}", pluralize(*unreadable, "file")),
                BAD,
            );
        }
        match self.command_status() {
            CommandStatus::Success if *unreadable > 0 => {}
            CommandStatus::Success => text.add_line("accepted", GOOD),
            CommandStatus::Rejected => text.add_line("rejected", BAD),
        }
        text
    }
}

/// Adds a report that has errors or warnings.
fn add_noteworthy(report: &ObjectReport, text: &mut TextBuffer) {
    if report.is_noteworthy() {
        text.add_line(&format!("{}: {}", report.file, report.title), PLAIN);
        report.add_to(text, false);
        text.add_line("", PLAIN);
    }
}

impl Serialize for CheckSummary {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let rejected_count = self.counts.rejected_count();
        let mut map = serializer.serialize_map(Some(6))?;
        map.serialize_entry("objects", &self.reports)?;
        map.serialize_entry("accepted", &(self.reports.len() - rejected_count))?;
        map.serialize_entry("refused", &rejected_count)?;
        map.serialize_entry("skipped", &self.skipped_objects.skipped)?;
        map.serialize_entry("unchecked", &self.skipped_objects.unchecked)?;
        map.serialize_entry("not_read", &self.skipped_objects.unreadable)?;
        map.end()
    }
}
