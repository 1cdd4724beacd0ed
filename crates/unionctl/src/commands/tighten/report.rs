//! The report on all objects.

use std::collections::HashSet;

use serde::Serialize;

use super::evaluate::TightenOutcome;
use super::tightened_error::{RequestOutcome, TightenedError};
use crate::judge::crds::CrdDiagnostics;
use crate::judge::objects::{InputObject, SkippedObjects};
use crate::judge::reply::unions_reply::FieldError;
use crate::judge::reply::unknown_field::UnknownFieldReply;
use crate::output::print::{BAD, CHANGED, CommandStatus, GOOD, PLAIN, TOLERATED, TextBuffer};
use crate::output::table::{self, pluralize};

#[derive(Debug, Serialize)]
pub(crate) struct TightenReport {
    /// The errors for which an API server would reject the new CRD.
    schema_errors: Vec<FieldError>,
    /// The objects with errors.
    objects: Vec<TightenedObject>,
    summary: Summary,
    #[serde(flatten)]
    pub(super) skipped_objects: SkippedObjects,
    /// The warnings about the new CRD and the objects, each with its file.
    #[serde(rename = "notes", skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<String>,
}

/// The maximum number of warnings in text output. The JSON output has all warnings.
const MAX_SHOWN_WARNINGS: usize = 20;

#[derive(Debug, Serialize)]
struct TightenedObject {
    file: String,
    kind: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    namespace: Option<String>,
    name: Option<String>,
    findings: Vec<TightenedError>,
    #[serde(skip)]
    title: String,
}

#[derive(Debug, Default, Serialize)]
struct Summary {
    objects: usize,
    refused_on_create: RejectionCount,
    refused_on_unrelated_update: RejectionCount,
    refused_on_update_of_field: RejectionCount,
}

#[derive(Clone, Copy, Debug, Default, Serialize)]
struct RejectionCount {
    objects: usize,
    fields: usize,
}

impl RejectionCount {
    /// Counts an object and its rejected fields. `is_rejected` is true if the request is rejected
    /// for any reason.
    fn add(&mut self, is_rejected: bool, fields: impl Iterator<Item = RequestOutcome>) {
        let fields = fields
            .filter(|outcome| *outcome == RequestOutcome::Refused)
            .count();
        self.objects += usize::from(is_rejected || fields > 0);
        self.fields += fields;
    }

    fn row(self, request: &str) -> [String; 3] {
        [
            request.to_owned(),
            self.objects.to_string(),
            self.fields.to_string(),
        ]
    }
}

impl TightenReport {
    /// Creates the report on a new CRD, without objects. `file` is the file of the CRD.
    pub(super) fn new(diagnostics: CrdDiagnostics, file: &str) -> Self {
        let unknown = diagnostics.unknown_fields.iter();
        let messages: HashSet<&str> = unknown.map(UnknownFieldReply::message).collect();
        let warnings = diagnostics.warnings.iter();
        let warnings = warnings.filter(|warning| !messages.contains(&***warning));
        let warnings = warnings.map(|warning| format!("{file}: {warning}"));
        let unknown = diagnostics.unknown_fields.iter();
        let unknown = unknown.map(|field| field.line(file));
        Self {
            warnings: warnings.chain(unknown).collect(),
            schema_errors: diagnostics.errors,
            objects: Vec::new(),
            summary: Summary::default(),
            skipped_objects: SkippedObjects::default(),
        }
    }

    pub(super) fn add(&mut self, object: &InputObject, outcome: TightenOutcome) {
        let TightenOutcome {
            findings,
            create,
            unrelated_update,
            warnings,
        } = outcome;
        let summary = &mut self.summary;
        summary.objects += 1;
        let outcomes = findings.iter().map(|found| found.create);
        summary
            .refused_on_create
            .add(create == RequestOutcome::Refused, outcomes);
        let outcomes = findings.iter().map(|found| found.unrelated_update);
        let is_rejected = unrelated_update == RequestOutcome::Refused;
        summary
            .refused_on_unrelated_update
            .add(is_rejected, outcomes);
        let outcomes = findings.iter().map(|found| found.update_of_field);
        summary.refused_on_update_of_field.add(false, outcomes);
        let title = object.title();
        let warnings = warnings.into_iter();
        self.warnings
            .extend(warnings.map(|warning| format!("{}: {title}: {warning}", object.file)));
        if findings.is_empty() {
            return;
        }
        self.objects.push(TightenedObject {
            file: object.file.clone(),
            kind: object.kind().to_owned(),
            namespace: object.namespace().map(str::to_owned),
            name: object.name().map(str::to_owned),
            findings,
            title,
        });
    }

    /// Returns the errors of all objects.
    pub(crate) fn field_errors(&self) -> impl Iterator<Item = &FieldError> {
        let found = self.objects.iter().flat_map(|object| &object.findings);
        found.map(|found| &found.error)
    }

    pub(crate) fn command_status(&self) -> CommandStatus {
        let rejected = self.summary.refused_on_unrelated_update.objects;
        if self.schema_errors.is_empty() && rejected == 0 {
            CommandStatus::Success
        } else {
            CommandStatus::Rejected
        }
    }

    pub(super) fn render(&self) -> TextBuffer {
        let mut text = TextBuffer::default();
        let errors = self.schema_errors.iter().map(FieldError::line);
        text.add_section("errors in the new CRD", BAD, errors);
        if self.schema_errors.is_empty() {
            text.add_line("the new CRD is valid", PLAIN);
        }
        text.add_line("", PLAIN);
        for object in &self.objects {
            object.add_to(&mut text);
        }
        let shown = self.warnings.iter().take(MAX_SHOWN_WARNINGS).cloned();
        let more = self.warnings.len().saturating_sub(MAX_SHOWN_WARNINGS);
        let more = (more > 0).then(|| format!("{more} more; --output json lists all"));
        text.add_section("warnings", CHANGED, shown.chain(more));
        for line in self.summary.lines() {
            text.add_line(&line, PLAIN);
        }
        let objects = pluralize(self.summary.objects, "object");
        let SkippedObjects {
            skipped,
            unreadable,
        } = self.skipped_objects;
        let checked = match skipped {
            0 => format!("checked: {objects}"),
            skipped => format!("checked: {objects}, skipped: {skipped} without a matching CRD"),
        };
        text.add_line(&checked, PLAIN);
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

impl TightenedObject {
    fn add_to(&self, text: &mut TextBuffer) {
        text.add_line(&format!("{}: {}", self.file, self.title), PLAIN);
        for found in &self.findings {
            let style = match found.unrelated_update {
                RequestOutcome::Refused => BAD,
                _ => TOLERATED,
            };
            text.add_line(&format!("  {}", found.error.line()), style);
            text.add_line(&format!("    {}", found.outcomes()), PLAIN);
        }
        text.add_line("", PLAIN);
    }
}

impl Summary {
    fn lines(&self) -> Vec<String> {
        let heading = ["rejected on", "objects", "fields"].map(str::to_owned);
        table::lines(&[
            heading,
            self.refused_on_create.row("create"),
            self.refused_on_unrelated_update.row("unrelated update"),
            self.refused_on_update_of_field.row("update of the field"),
        ])
    }
}
