//! The summary of the reports on all objects.

use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};

use super::kind_counts::KindCounts;
use super::object_report::ObjectReport;
use crate::error::CommandError;
use crate::input::ObjectSource;
use crate::judge::reply::sarif_results;
use crate::judge::skipped_objects::SkippedObjects;
use crate::output::print::{
    self, BAD, CHANGED, CommandStatus, GOOD, OutputFormat, PLAIN, TextBuffer,
};
use crate::output::sarif::{SarifLevel, SarifResult};
use crate::output::table::pluralize;

/// The reports on all objects. In text, reports without errors and warnings are only counted, so
/// that the memory does not depend on the number of objects.
#[derive(Debug)]
pub(super) struct CheckSummary {
    format: OutputFormat,
    /// True if objects that are not checked are errors.
    has_strict_kinds: bool,
    /// All reports in JSON. In text, the first report, while it is the only report.
    reports: Vec<ObjectReport>,
    /// The reports with errors or warnings, in text.
    noteworthy_reports: TextBuffer,
    sarif_results: Vec<SarifResult>,
    counts: KindCounts,
    /// Notes on the objects of built-in kinds.
    notes: Vec<String>,
    pub(super) skipped_objects: SkippedObjects,
}

impl CheckSummary {
    pub(super) fn new(format: OutputFormat, has_strict_kinds: bool) -> Self {
        Self {
            format,
            has_strict_kinds,
            reports: Vec::new(),
            noteworthy_reports: TextBuffer::default(),
            sarif_results: Vec::new(),
            counts: KindCounts::default(),
            notes: Vec::new(),
            skipped_objects: SkippedObjects::default(),
        }
    }

    /// Adds a report. `source` is the source of the object.
    pub(super) fn add(&mut self, report: ObjectReport, source: Option<&ObjectSource>) {
        self.counts.add(&report);
        if self.format == OutputFormat::Sarif {
            self.sarif_results.extend(report.sarif_results(source));
            return;
        }
        if self.format == OutputFormat::Json || self.counts.object_count() == 1 {
            self.reports.push(report);
            return;
        }
        for report in self.reports.drain(..).chain([report]) {
            add_noteworthy(&report, &mut self.noteworthy_reports);
        }
    }

    /// Adds a note, unless the summary has it.
    pub(super) fn add_note(&mut self, note: String) {
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    pub(super) fn command_status(&self) -> CommandStatus {
        let is_kind_error =
            self.has_strict_kinds && self.skipped_objects.unchecked.object_count() > 0;
        let status = if self.counts.rejected_count() == 0 && !is_kind_error {
            CommandStatus::Success
        } else {
            CommandStatus::Rejected
        };
        status.with_unread_parts(self.skipped_objects.unread_parts)
    }

    pub(super) fn print(&mut self) -> Result<(), CommandError> {
        print::notes(&self.notes);
        match self.format {
            OutputFormat::Json => print::json(&[&*self]),
            OutputFormat::Text => self.render().print(),
            OutputFormat::Sarif => {
                let level = if self.has_strict_kinds {
                    SarifLevel::Error
                } else {
                    SarifLevel::Note
                };
                let unchecked_objects = &self.skipped_objects.unchecked;
                let mut results = std::mem::take(&mut self.sarif_results);
                results.extend(unchecked_objects.sarif_results(sarif_results::NOT_CHECKED, level));
                print::json(&[sarif_results::log("objects", results)])
            }
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
            ..
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
        if let Some(line) = self.skipped_objects.unread_parts_line() {
            text.add_line(&line, BAD);
        }
        match self.command_status() {
            _ if *unreadable > 0 => {}
            CommandStatus::Rejected => text.add_line("rejected", BAD),
            CommandStatus::Success => text.add_line("accepted", GOOD),
            CommandStatus::Incomplete => text.add_line("incomplete", BAD),
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
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("objects", &self.reports)?;
        map.serialize_entry("accepted", &(self.reports.len() - rejected_count))?;
        map.serialize_entry("refused", &rejected_count)?;
        map.serialize_entry("skipped", &self.skipped_objects.skipped)?;
        map.serialize_entry("unchecked", &self.skipped_objects.unchecked)?;
        map.serialize_entry("not_read", &self.skipped_objects.unreadable)?;
        if self.skipped_objects.unread_parts > 0 {
            map.serialize_entry("not_read_from_cluster", &self.skipped_objects.unread_parts)?;
        }
        if !self.notes.is_empty() {
            map.serialize_entry("notes", &self.notes)?;
        }
        map.end()
    }
}
