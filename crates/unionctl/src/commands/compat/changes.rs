//! The findings of `unionctl compat` that are not about unions and enums.

use crd_compat::{Finding, Level, SameVersions, Unproven, Untried, VersionReport};
use serde_json::{Value, json};

use super::places::{ComparedCrd, FindingPlaces};
use crate::output::print::{BAD, CHANGED, PLAIN, TOLERATED, TextBuffer};

/// A finding with its places in the files.
#[derive(Debug)]
pub(super) struct ChangeInFiles {
    pub(super) finding: Finding,
    pub(super) places: FindingPlaces,
}

/// The findings about two versions that are not about unions and enums.
#[derive(Debug, Default)]
pub(super) struct VersionChanges {
    pub(super) findings: Vec<ChangeInFiles>,
    pub(super) known_findings: Vec<Finding>,
    /// The differences that no object proves.
    unproven: Vec<Unproven>,
    /// The objects that were not tried because of a limit.
    untried: Vec<Untried>,
    /// A line for each of the unproven differences, and for the objects that were not tried.
    pub(super) notes: Vec<String>,
    pub(super) differences: usize,
    pub(super) objects: usize,
    /// The earlier versions with the same schemas, whose findings are not repeated.
    pub(super) same_as: Option<SameVersions>,
}

impl ChangeInFiles {
    pub(super) fn new(
        finding: Finding,
        old: Option<ComparedCrd<'_>>,
        new: ComparedCrd<'_>,
    ) -> Self {
        let place = |crd, pointer: &Option<String>| Some((crd?, pointer.clone()?));
        let places = [
            place(old, &finding.old_pointer),
            place(Some(new), &finding.new_pointer),
        ];
        let places = FindingPlaces::new(places, new.0);
        Self { finding, places }
    }

    pub(super) fn add_to(&self, text: &mut TextBuffer) {
        let style = match self.finding.level {
            Level::Breaking => BAD,
            Level::Tolerated => TOLERATED,
            _ => CHANGED,
        };
        for (index, line) in self.finding.lines().iter().enumerate() {
            if index == 0 {
                text.add_indented_line(1, line, style);
            } else {
                text.add_indented_line(2, line, PLAIN);
            }
        }
        self.places.add_to(text);
    }

    pub(super) fn to_json(&self) -> Value {
        let mut json = json!(self.finding);
        json["places"] = json!(self.places.lines);
        json
    }
}

impl VersionChanges {
    /// Takes everything but the findings from a report.
    pub(super) fn without_findings(report: &VersionReport) -> Self {
        Self {
            findings: Vec::new(),
            known_findings: report.known_findings.clone(),
            unproven: report.unproven.clone(),
            untried: report.untried.clone(),
            notes: report.notes(),
            differences: report.differences,
            objects: report.objects,
            same_as: report.same_as.clone(),
        }
    }

    pub(super) fn to_json(&self) -> Value {
        let findings = self.findings.iter().map(ChangeInFiles::to_json);
        json!({
            "findings": findings.collect::<Vec<_>>(),
            "known": self.known_findings,
            "unproven": self.unproven,
            "untried": self.untried,
            "differences": self.differences,
            "objects": self.objects,
            "same_as": self.same_as,
        })
    }
}
