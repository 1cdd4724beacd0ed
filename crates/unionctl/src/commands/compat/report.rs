//! The reports of `unionctl compat` on all compared versions.

use std::fmt::Write as _;

use crd_compat::{Finding as Change, Level};
use serde::Serialize;
use serde_json::{Value, json};
use union_compat::{CompatReport, CrdComparison, Finding, Severity};
use union_json::document::Crd;

use super::accepted::{AcceptedFinding, CompatConfig};
use super::changes::{ChangeInFiles, VersionChanges};
use super::places::{ComparedCrd, FindingPlaces, SchemaInFile, schema_in_file};
use crate::output::print::{BAD, CHANGED, GOOD, PLAIN, TextBuffer};
use crate::output::table::pluralize;

/// The reports on all compared versions, with the numbers of findings.
#[derive(Debug, Default)]
pub(super) struct CompatSummary {
    pub(super) comparisons: Vec<Comparison>,
    /// The merge base, if Git has the old CRDs.
    pub(super) base: Option<String>,
    /// The CRDs that only the merge base has.
    pub(super) removed_crds: Vec<RemovedCrd>,
    /// The number of CRDs that equal those of the merge base.
    pub(super) unchanged_count: usize,
    pub(super) breaking_count: usize,
    /// The number of findings whose objects are refused, although their updates are tolerated.
    pub(super) tolerated_count: usize,
    pub(super) notice_count: usize,
    /// The findings outside of schemas, for each CRD that has some.
    pub(super) outside_schemas: Vec<OutsideSchemas>,
    /// A line for each finding that the configuration accepts, with the reason.
    accepted: Vec<String>,
    /// The number of findings that the old CRD has too.
    known_count: usize,
}

/// The findings of a CRD outside of its schemas.
#[derive(Debug)]
pub(super) struct OutsideSchemas {
    /// The name of the CRD, such as `shops.example.com`.
    pub(super) crd: String,
    pub(super) kind: String,
    pub(super) findings: Vec<ChangeInFiles>,
}

/// The report on two versions, with the positions of its findings.
#[derive(Debug)]
pub(super) struct Comparison {
    /// The name of the CRD, such as `shops.example.com`.
    pub(super) crd: String,
    pub(super) report: CompatReport,
    /// The places of each finding of the report.
    pub(super) places: Vec<FindingPlaces>,
    /// The findings that are not about unions and enums.
    pub(super) changes: VersionChanges,
}

/// The code of the finding about a CRD that was removed.
pub(super) const REMOVED: &str = "crd-removed";

/// A CRD that was removed.
#[derive(Debug, Serialize)]
pub(super) struct RemovedCrd {
    #[serde(rename = "crd")]
    pub(super) title: String,
    pub(super) file: String,
}

impl CompatSummary {
    /// Adds the comparison of a CRD. `old_crd` is the CRD before the change, if there is one.
    pub(super) fn add_comparison(
        &mut self,
        old_crd: Option<ComparedCrd<'_>>,
        new_crd: ComparedCrd<'_>,
        comparison: CrdComparison,
        config: &CompatConfig,
    ) {
        let parsed_crd = Crd::new(new_crd.1);
        let crd_name = parsed_crd.name().unwrap_or_default();
        let changes: Vec<(VersionChanges, [Option<SchemaInFile<'_>>; 2])> = comparison
            .unions
            .iter()
            .map(|report| {
                let new_schema = schema_in_file(Some(new_crd), &report.new);
                let Some(version) = comparison.changes_of(report) else {
                    return (VersionChanges::default(), [None, new_schema]);
                };
                // Versions that are served together are in the same file.
                let old_crd = if version.is_served_together {
                    Some(new_crd)
                } else {
                    old_crd
                };
                let mut changes = VersionChanges::without_findings(version);
                let findings = version.findings.iter().cloned();
                changes.findings = self.changes_in_files(findings, old_crd, new_crd, config);
                self.known_count += changes.known_findings.len();
                for finding in &changes.known_findings {
                    config.find(crd_name, finding.code, &finding.path);
                }
                (changes, [schema_in_file(old_crd, &version.old), new_schema])
            })
            .collect();
        let outside = comparison.changes.findings.into_iter();
        let outside = self.changes_in_files(outside, old_crd, new_crd, config);
        if !outside.is_empty() {
            self.outside_schemas.push(OutsideSchemas {
                crd: crd_name.to_owned(),
                kind: parsed_crd.kind().unwrap_or_default().to_owned(),
                findings: outside,
            });
        }
        for (mut report, (changes, schemas)) in comparison.unions.into_iter().zip(changes) {
            report.findings.retain(|finding| {
                let code = finding.code.as_str();
                let accepted = config.find(crd_name, code, &finding.path);
                self.accepted.extend(
                    accepted.map(|accepted| accepted_line(&finding.heading(), &accepted.reason)),
                );
                accepted.is_none()
            });
            let breaking_count = report.breaking().count();
            self.breaking_count += breaking_count;
            self.notice_count += report.findings.len() - breaking_count;
            self.known_count += report.known_findings.len();
            // An entry for a finding that the old CRD has too is needed without the old CRD.
            for finding in &report.known_findings {
                config.find(crd_name, finding.code.as_str(), &finding.path);
            }
            let places = |finding: &Finding| FindingPlaces::of_union(&schemas, finding, new_crd.0);
            self.comparisons.push(Comparison {
                crd: crd_name.to_owned(),
                places: report.findings.iter().map(places).collect(),
                report,
                changes,
            });
        }
    }

    /// Counts findings, and returns them with their places. Accepted findings are left out.
    fn changes_in_files(
        &mut self,
        findings: impl Iterator<Item = Change>,
        old_crd: Option<ComparedCrd<'_>>,
        new_crd: ComparedCrd<'_>,
        config: &CompatConfig,
    ) -> Vec<ChangeInFiles> {
        let crd_name = Crd::new(new_crd.1).name().unwrap_or_default();
        let mut changes = Vec::new();
        for finding in findings {
            if let Some(accepted) = config.find(crd_name, finding.code, &finding.path) {
                let line = accepted_line(&finding.heading(), &accepted.reason);
                self.accepted.push(line);
                continue;
            }
            match finding.level {
                Level::Breaking => self.breaking_count += 1,
                Level::Tolerated => self.tolerated_count += 1,
                _ => self.notice_count += 1,
            }
            changes.push(ChangeInFiles::new(finding, old_crd, new_crd));
        }
        changes
    }

    /// Adds a CRD that was removed, unless the configuration accepts the removal.
    pub(super) fn add_removed(
        &mut self,
        removed_crd: RemovedCrd,
        accepted: Option<&AcceptedFinding>,
    ) {
        if let Some(accepted) = accepted {
            let heading = format!("{} was removed ({REMOVED})", removed_crd.title);
            self.accepted
                .push(accepted_line(&heading, &accepted.reason));
            return;
        }
        self.breaking_count += 1;
        self.removed_crds.push(removed_crd);
    }

    pub(super) fn to_json(&self) -> Value {
        let comparisons = self.comparisons.iter();
        let reports: Vec<Value> = comparisons
            .map(|comparison| {
                let mut report = json!(comparison.report);
                report["crd"] = json!(comparison.crd);
                for (index, places) in comparison.places.iter().enumerate() {
                    report["findings"][index]["places"] = json!(places.lines);
                }
                report["changes"] = comparison.changes.to_json();
                report
            })
            .collect();
        let outside_schemas = self.outside_schemas.iter().map(|outside| {
            let findings = outside.findings.iter().map(ChangeInFiles::to_json);
            json!({"crd": outside.crd, "findings": findings.collect::<Vec<_>>()})
        });
        let mut json = json!({
            "comparisons": reports,
            "outside_schemas": outside_schemas.collect::<Vec<_>>(),
            "accepted": self.accepted,
            "breaking": self.breaking_count,
            "tolerated": self.tolerated_count,
            "notices": self.notice_count,
            "known": self.known_count,
        });
        if let Some(base) = &self.base {
            json["base"] = json!(base);
            json["removed"] = json!(self.removed_crds);
            json["unchanged"] = json!(self.unchanged_count);
        }
        json
    }

    pub(super) fn render(&self) -> TextBuffer {
        let mut text = TextBuffer::default();
        for outside in &self.outside_schemas {
            text.add_heading(&format!("{}, outside of the schemas", outside.kind));
            for finding in &outside.findings {
                finding.add_to(&mut text);
            }
        }
        for comparison in &self.comparisons {
            add_report(&mut text, comparison);
        }
        for line in &self.accepted {
            text.add_line(line, PLAIN);
        }
        for RemovedCrd { title, file } in &self.removed_crds {
            text.add_line(
                &format!("{file}: {title} was removed; a server deletes its objects"),
                BAD,
            );
        }
        if let Some(base) = &self.base {
            let unchanged = pluralize(self.unchanged_count, "unchanged CRD");
            text.add_line(
                &format!("compared with the merge base {base}; {unchanged}"),
                PLAIN,
            );
        }
        if self.comparisons.is_empty() && self.base.is_none() {
            text.add_line("found no two versions to compare", PLAIN);
        }
        let is_refused = self.breaking_count + self.tolerated_count > 0;
        let style = if is_refused { BAD } else { GOOD };
        let mut totals = format!(
            "{} breaking, {}",
            self.breaking_count,
            pluralize(self.notice_count, "notice")
        );
        if self.tolerated_count > 0 {
            let _ = write!(totals, ", {} tolerated on updates", self.tolerated_count);
        }
        if self.known_count > 0 {
            let _ = write!(totals, ", {} as before", self.known_count);
        }
        text.add_line(&totals, style);
        text
    }
}

fn accepted_line(heading: &str, reason: &str) -> String {
    format!("accepted by --config: {heading}: {}", reason.trim())
}

fn add_report(text: &mut TextBuffer, comparison: &Comparison) {
    let Comparison {
        report,
        changes,
        places,
        ..
    } = comparison;
    let CompatReport { old, new, .. } = report;
    let heading = format!("{old} -> {new}");
    if let Some(same_as) = &changes.same_as {
        text.add_heading(&format!("{heading}: {same_as}"));
        return;
    }
    text.add_heading(&heading);
    for (finding, places) in report.findings.iter().zip(places) {
        let style = match finding.severity {
            Severity::Breaking => BAD,
            _ => CHANGED,
        };
        for (index, line) in finding.lines().iter().enumerate() {
            if index == 0 {
                text.add_indented_line(1, line, style);
            } else {
                text.add_indented_line(2, line, PLAIN);
            }
        }
        places.add_to(text);
    }
    for finding in &changes.findings {
        finding.add_to(text);
    }
    let known_headings = report.known_findings.iter().map(Finding::heading);
    let known_changes = changes.known_findings.iter().map(Change::heading);
    for heading in known_headings.chain(known_changes) {
        text.add_indented_line(1, &format!("as before: {heading}"), PLAIN);
    }
    for note in &report.notes {
        text.add_indented_line(1, &format!("note: {note}"), CHANGED);
    }
    for note in &changes.notes {
        text.add_indented_line(1, &format!("note: {note}"), CHANGED);
    }
    if !report.is_converted_by_webhook() {
        add_compared_counts(text, comparison);
    }
}

/// Adds the numbers of unions, enums and differences that were compared.
fn add_compared_counts(text: &mut TextBuffer, comparison: &Comparison) {
    let Comparison {
        report, changes, ..
    } = comparison;
    let has_places = report.union_objects > 0 || report.enums > 0;
    if has_places && report.findings.is_empty() && report.known_findings.is_empty() {
        text.add_indented_line(1, "no union or enum changed", PLAIN);
    }
    let compared = if has_places {
        format!(
            "compared: {} of {} and {}",
            pluralize(report.objects, "test object"),
            pluralize(report.union_objects, "union"),
            pluralize(report.enums, "enum")
        )
    } else {
        "no unions and no enums found".to_owned()
    };
    let other_changes = match changes.differences {
        0 => "no other difference".to_owned(),
        count => format!(
            "{} for {} of the schemas",
            pluralize(changes.objects, "test object"),
            pluralize(count, "difference")
        ),
    };
    let summary =
        format!("{compared}; {other_changes}; for stored objects, see `unionctl tighten`");
    text.add_indented_line(1, &summary, PLAIN);
}
