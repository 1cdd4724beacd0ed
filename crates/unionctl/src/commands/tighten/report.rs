//! The report of `unionctl tighten` on a new CRD and on all stored objects.

use std::collections::HashSet;

use serde::Serialize;

use super::evaluate::TightenOutcome;
use super::stored_fields::{ChangedDefault, DroppedField, StoredFields};
use super::tightened_error::{RequestOutcome, TightenedError};
use crate::judge::crds::CrdDiagnostics;
use crate::judge::objects::InputObject;
use crate::judge::reply::unions_reply::FieldError;
use crate::judge::reply::unknown_field::UnknownFieldReply;
use crate::judge::skipped_objects::SkippedObjects;
use crate::output::print::{BAD, CHANGED, CommandStatus, GOOD, PLAIN, TOLERATED, TextBuffer};
use crate::output::table::{self, pluralize};

#[derive(Debug, Serialize)]
pub(crate) struct TightenReport {
    /// The errors for which an API server would reject the new CRD.
    schema_errors: Vec<FieldError>,
    /// The objects with errors, and the objects with fields that the new schema drops or reads with
    /// another default.
    objects: Vec<TightenedObject>,
    summary: Summary,
    #[serde(flatten)]
    pub(super) skipped_objects: SkippedObjects,
    /// True if objects that are not checked are errors.
    #[serde(skip)]
    pub(super) has_strict_kinds: bool,
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
    #[serde(skip_serializing_if = "Vec::is_empty")]
    dropped_fields: Vec<DroppedField>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    changed_defaults: Vec<ChangedDefault>,
    #[serde(skip)]
    title: String,
}

/// The reply for one object, of which the report keeps the object if there is something to report.
pub(super) struct ObjectReply {
    object: TightenedObject,
    /// The outcome of a create of the object.
    create: RequestOutcome,
    /// The outcome of an update that only adds an annotation.
    unrelated_update: RequestOutcome,
    warnings: Vec<String>,
}

#[derive(Debug, Default, Serialize)]
struct Summary {
    #[serde(rename = "objects")]
    object_count: usize,
    #[serde(rename = "refused_on_create")]
    create_rejections: RejectionCount,
    #[serde(rename = "refused_on_unrelated_update")]
    unrelated_update_rejections: RejectionCount,
    #[serde(rename = "refused_on_update_of_field")]
    field_update_rejections: RejectionCount,
    dropped_fields: RejectionCount,
    changed_defaults: RejectionCount,
}

#[derive(Clone, Copy, Debug, Default, Serialize)]
struct RejectionCount {
    objects: usize,
    fields: usize,
}

impl RejectionCount {
    /// Counts an object and its rejected fields. `is_rejected` is true if the request is rejected,
    /// even if no field is.
    fn add(&mut self, is_rejected: bool, field_outcomes: impl Iterator<Item = RequestOutcome>) {
        let rejected_fields = field_outcomes
            .filter(|outcome| *outcome == RequestOutcome::Rejected)
            .count();
        self.objects += usize::from(is_rejected || rejected_fields > 0);
        self.fields += rejected_fields;
    }

    /// Counts an object with a number of fields.
    fn add_fields(&mut self, field_count: usize) {
        self.objects += usize::from(field_count > 0);
        self.fields += field_count;
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
        let unknown_fields = diagnostics.unknown_fields.iter();
        let unknown_field_messages: HashSet<&str> =
            unknown_fields.map(UnknownFieldReply::message).collect();
        let warnings = diagnostics.warnings.iter();
        let warnings = warnings.filter(|warning| !unknown_field_messages.contains(&***warning));
        let warnings = warnings.map(|warning| format!("{file}: {warning}"));
        let unknown_fields = diagnostics.unknown_fields.iter();
        let unknown_fields = unknown_fields.map(|field| field.line(file));
        Self {
            warnings: warnings.chain(unknown_fields).collect(),
            schema_errors: diagnostics.errors,
            objects: Vec::new(),
            summary: Summary::default(),
            skipped_objects: SkippedObjects::default(),
            has_strict_kinds: false,
        }
    }

    pub(super) fn add(&mut self, reply: ObjectReply) {
        let ObjectReply {
            object,
            create,
            unrelated_update,
            warnings,
        } = reply;
        let TightenedObject {
            findings,
            dropped_fields,
            changed_defaults,
            ..
        } = &object;
        let summary = &mut self.summary;
        summary.object_count += 1;
        let outcomes = findings.iter().map(|finding| finding.create);
        summary
            .create_rejections
            .add(create == RequestOutcome::Rejected, outcomes);
        let outcomes = findings.iter().map(|finding| finding.unrelated_update);
        let is_rejected = unrelated_update == RequestOutcome::Rejected;
        summary
            .unrelated_update_rejections
            .add(is_rejected, outcomes);
        let outcomes = findings.iter().map(|finding| finding.update_of_field);
        summary.field_update_rejections.add(false, outcomes);
        summary.dropped_fields.add_fields(dropped_fields.len());
        summary.changed_defaults.add_fields(changed_defaults.len());
        let (file, title) = (&object.file, &object.title);
        let warnings = warnings.into_iter();
        self.warnings
            .extend(warnings.map(|warning| format!("{file}: {title}: {warning}")));
        let is_reported =
            !(findings.is_empty() && dropped_fields.is_empty() && changed_defaults.is_empty());
        if is_reported {
            self.objects.push(object);
        }
    }

    /// Returns the errors of all objects.
    pub(crate) fn field_errors(&self) -> impl Iterator<Item = &FieldError> {
        let findings = self.objects.iter().flat_map(|object| &object.findings);
        findings.map(|finding| &finding.error)
    }

    pub(crate) fn command_status(&self) -> CommandStatus {
        let rejected_count = self.summary.unrelated_update_rejections.objects;
        let dropped_count = self.summary.dropped_fields.objects;
        let is_kind_error =
            self.has_strict_kinds && self.skipped_objects.unchecked.object_count() > 0;
        let status = if self.schema_errors.is_empty()
            && rejected_count == 0
            && dropped_count == 0
            && !is_kind_error
        {
            CommandStatus::Success
        } else {
            CommandStatus::Rejected
        };
        status.with_unread_parts(self.skipped_objects.unread_parts)
    }

    pub(super) fn render(&self) -> TextBuffer {
        let mut text = TextBuffer::default();
        let errors = self.schema_errors.iter().flat_map(FieldError::lines);
        text.add_section("errors in the new CRD", BAD, errors);
        if self.schema_errors.is_empty() {
            text.add_line("the new CRD is valid", PLAIN);
        }
        text.add_line("", PLAIN);
        for object in &self.objects {
            object.add_to(&mut text);
        }
        let shown_warnings = self.warnings.iter().take(MAX_SHOWN_WARNINGS).cloned();
        let hidden_count = self.warnings.len().saturating_sub(MAX_SHOWN_WARNINGS);
        let hidden_count_note =
            (hidden_count > 0).then(|| format!("{hidden_count} more; --output json lists all"));
        text.add_section("warnings", CHANGED, shown_warnings.chain(hidden_count_note));
        for line in self.summary.lines() {
            text.add_line(&line, PLAIN);
        }
        let objects = pluralize(self.summary.object_count, "object");
        let SkippedObjects {
            skipped,
            unchecked,
            unreadable,
            ..
        } = &self.skipped_objects;
        let checked_line = match skipped {
            0 => format!("checked: {objects}"),
            skipped => format!("checked: {objects}, skipped: {skipped} without a matching CRD"),
        };
        text.add_line(&checked_line, PLAIN);
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

impl ObjectReply {
    /// Creates the reply for an object, which is then no longer needed.
    pub(super) fn new(object: &InputObject, outcome: TightenOutcome) -> Self {
        let TightenOutcome {
            findings,
            stored_fields,
            create,
            unrelated_update,
            warnings,
        } = outcome;
        let StoredFields {
            dropped,
            changed_defaults,
        } = stored_fields;
        let object = TightenedObject {
            file: object.file.clone(),
            kind: object.kind().to_owned(),
            namespace: object.namespace().map(str::to_owned),
            name: object.name().map(str::to_owned),
            findings,
            dropped_fields: dropped,
            changed_defaults,
            title: object.title(),
        };
        Self {
            object,
            create,
            unrelated_update,
            warnings,
        }
    }
}

impl TightenedObject {
    fn add_to(&self, text: &mut TextBuffer) {
        text.add_line(&format!("{}: {}", self.file, self.title), PLAIN);
        for finding in &self.findings {
            let style = match finding.unrelated_update {
                RequestOutcome::Rejected => BAD,
                _ => TOLERATED,
            };
            text.add_line(&format!("  {}", finding.error.line()), style);
            text.add_line(&format!("    {}", finding.outcome_line()), PLAIN);
        }
        for field in &self.dropped_fields {
            text.add_line(&format!("  {}", field.line()), BAD);
        }
        for field in &self.changed_defaults {
            text.add_line(&format!("  {}", field.line()), CHANGED);
        }
        text.add_line("", PLAIN);
    }
}

impl Summary {
    fn lines(&self) -> Vec<String> {
        let heading = ["rejected on", "objects", "fields"].map(str::to_owned);
        let mut rows = vec![
            heading,
            self.create_rejections.row("create"),
            self.unrelated_update_rejections.row("unrelated update"),
            self.field_update_rejections.row("update of the field"),
        ];
        let heading = ["stored fields", "objects", "fields"].map(str::to_owned);
        if self.dropped_fields.fields + self.changed_defaults.fields > 0 {
            rows.push(heading);
            rows.push(self.dropped_fields.row("dropped on a write"));
            rows.push(self.changed_defaults.row("another default"));
        }
        table::render_lines(&rows)
    }
}
