//! The text output of `unionctl upgrade`.

use super::report::{BREAKING, CauseGroup, ChangeReply, LocatedFinding, NOTICE, UpgradeReport};
use crate::judge::skipped_objects::SkippedObjects;
use crate::output::print::{BAD, CHANGED, CommandStatus, GOOD, PLAIN, TextBuffer};
use crate::output::table::pluralize;

/// The maximum number of differences that are listed below a cause. The JSON output has all.
const MAX_SHOWN_FINDINGS: usize = 20;

/// Returns the text output. `all` also lists notices.
pub(super) fn render(report: &UpgradeReport, all: bool) -> TextBuffer {
    let mut text = TextBuffer::default();
    for group in &report.groups {
        let findings = group.findings.iter();
        let shown = findings.filter(|finding| all || finding.level != NOTICE);
        add_group(&mut text, group, &shown.collect::<Vec<_>>());
    }
    add_summary(&mut text, report, all);
    match report.command_status() {
        _ if report.skipped_objects.unreadable > 0 => {}
        _ if report.summary.breaking > 0 => text.add_line("accepted requests are rejected", BAD),
        CommandStatus::Success => text.add_line("no accepted request is rejected", GOOD),
        CommandStatus::Rejected => text.add_line("some objects are not checked", BAD),
        CommandStatus::Incomplete => text.add_line("incomplete", BAD),
    }
    text
}

/// Adds the numbers of differences, and of checked and skipped objects.
fn add_summary(text: &mut TextBuffer, report: &UpgradeReport, all: bool) {
    let summary = &report.summary;
    text.add_line(
        &format!(
            "{} -> {}: {} breaking, {} changed, {}{}",
            report.from,
            report.to,
            summary.breaking,
            summary.changed,
            pluralize(summary.notices, "notice"),
            if all || summary.notices == 0 {
                ""
            } else {
                " (--all lists them)"
            },
        ),
        PLAIN,
    );
    let SkippedObjects {
        skipped,
        unchecked,
        unreadable,
        ..
    } = &report.skipped_objects;
    let (crds, objects) = (
        pluralize(summary.crds, "CRD"),
        pluralize(summary.objects, "object"),
    );
    let checked_line = match skipped {
        0 => format!("checked: {crds}, {objects}"),
        skipped => {
            format!("checked: {crds}, {objects}; skipped: {skipped} without a matching CRD")
        }
    };
    text.add_line(&checked_line, PLAIN);
    let style = if report.has_strict_kinds {
        BAD
    } else {
        CHANGED
    };
    text.add_section("not checked", style, unchecked.lines());
    if let Some(line) = report.skipped_objects.unread_parts_line() {
        text.add_line(&line, BAD);
    }
    if *unreadable > 0 {
        let line = format!("not read: {}", pluralize(*unreadable, "file"));
        text.add_line(&line, BAD);
    }
}

fn add_group(text: &mut TextBuffer, group: &CauseGroup, findings: &[&LocatedFinding]) {
    if findings.is_empty() {
        return;
    }
    if group.causes.is_empty() {
        text.add_heading("no known change of Kubernetes explains these differences");
    }
    for cause in &group.causes {
        text.add_heading(&format!("{}: {}", cause.since, cause.description));
        text.add_indented_line(1, &format!("source: {}", cause.source), PLAIN);
    }
    for finding in findings.iter().take(MAX_SHOWN_FINDINGS) {
        add_finding(text, finding);
    }
    let hidden_count = findings.len().saturating_sub(MAX_SHOWN_FINDINGS);
    if hidden_count > 0 {
        let line = format!("{hidden_count} more; --output json lists all");
        text.add_indented_line(1, &line, PLAIN);
    }
    text.add_line("", PLAIN);
}

fn add_finding(text: &mut TextBuffer, finding: &LocatedFinding) {
    let position = finding.position.map_or_else(String::new, |position| {
        format!(":{}:{}", position.line, position.column)
    });
    let place = format!("{}{position}: {}", finding.file, finding.object);
    text.add_indented_line(1, &place, PLAIN);
    let style = if finding.level == BREAKING {
        BAD
    } else {
        CHANGED
    };
    match (&finding.before, &finding.after) {
        (Some(before), Some(after)) if before == after => {
            text.add_indented_line(2, &format!("{}: {before}", finding.subject), style);
        }
        (before, after) => {
            for (side, side_text) in [("before", before), ("after", after)] {
                if let Some(side_text) = side_text {
                    let line = format!("{} {side}: {side_text}", finding.subject);
                    text.add_indented_line(2, &line, style);
                }
            }
        }
    }
    if !finding.changes.is_empty() && finding.subject == "error" {
        let changes: Vec<String> = finding.changes.iter().map(ChangeReply::line).collect();
        text.add_indented_line(2, &changes.join(", "), PLAIN);
    }
}
