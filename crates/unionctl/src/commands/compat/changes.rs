//! The findings of `unionctl compat` that are not about unions and enums.

use crd_compat::{Finding, Level, SameVersions, Unproven, Untried, VersionReport};
use serde_json::{Value, json};

use crate::input::resolve_field::path_at_pointer;
use crate::input::{ObjectSource, Position};
use crate::output::print::{BAD, CHANGED, PLAIN, TOLERATED, TextBuffer};

/// The file, the document and the source of a CRD.
pub(super) type ComparedCrd<'c> = (&'c str, &'c Value, Option<&'c ObjectSource>);

/// A finding with its places in the files.
#[derive(Debug)]
pub(super) struct ChangeInFiles {
    pub(super) finding: Finding,
    /// The position in the new file, or else in the old file.
    pub(super) file: String,
    pub(super) position: Option<Position>,
    /// The places in both files, such as `old.yaml:12`.
    places: Vec<String>,
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
        let place = |crd: Option<ComparedCrd<'_>>, pointer: Option<&String>| {
            let (file, document, source) = crd?;
            let path = path_at_pointer(document, pointer?);
            let position = source.and_then(|source| source.position(&path));
            Some((file.to_owned(), position))
        };
        let old_place = place(old, finding.old_pointer.as_ref());
        let new_place = place(Some(new), finding.new_pointer.as_ref());
        let places = [&old_place, &new_place].into_iter().flatten();
        let places = places.filter_map(|(file, position)| {
            let line = position.as_ref()?.line;
            Some(format!("{file}:{line}"))
        });
        let places = places.collect();
        let (file, position) = new_place
            .or(old_place)
            .unwrap_or_else(|| (new.0.to_owned(), None));
        Self {
            finding,
            file,
            position,
            places,
        }
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
        if !self.places.is_empty() {
            text.add_indented_line(2, &format!("at: {}", self.places.join(", ")), PLAIN);
        }
    }

    pub(super) fn to_json(&self) -> Value {
        let mut json = json!(self.finding);
        json["places"] = json!(self.places);
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
