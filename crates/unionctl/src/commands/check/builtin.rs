//! Validates the unions of objects of built-in kinds, without a CRD.

use k8s_crd_validation::{FieldValidation, ServerSettings};
use serde_json::{Value, json};

use super::args::CheckArgs;
use super::files;
use crate::error::CommandError;
use crate::input::{Documents, InputReader, object};
use crate::judge::builtin::{
    BuiltinValidator, NOTE_ON_OLD, kind_of, note_on_scope, notes_on_flags,
};
use crate::judge::objects::ObjectFiles;
use crate::judge::reply::check_reply::RequestBody;
use crate::judge::reply::unions_reply::FieldError;
use crate::judge::reply::unknown_field::duplicate_line;
use crate::judge::skipped_objects::UncheckedReason;
use crate::output::print::{
    self, BAD, CommandStatus, GOOD, OutputFormat, PLAIN, TextBuffer, TextOrJson,
};

/// The result for one object.
struct BuiltinReport {
    file: String,
    object_name: String,
    errors: Vec<FieldError>,
}

/// A document that is not checked, because it is not an object of a built-in kind with unions.
struct SkippedDocument {
    file: String,
    /// The kind and the name; `None` if the document is not an object.
    object_name: Option<String>,
    type_name: &'static str,
}

impl SkippedDocument {
    /// Returns the error if no document is checked.
    fn error(&self) -> CommandError {
        let message = match &self.object_name {
            Some(name) => {
                format!("missing --crd: {name} is not of a built-in kind with unions; pass its CRD")
            }
            None => UncheckedReason::NotAnObject(self.type_name).to_string(),
        };
        CommandError::new(self.file.as_str(), message)
    }

    fn note(&self) -> String {
        let (file, type_name) = (&self.file, self.type_name);
        if let Some(name) = &self.object_name {
            return format!(
                "{file}: {name} is not checked, because it is not of a built-in kind with unions; if it is a custom resource, pass its CRD (--crd)"
            );
        }
        let reason = UncheckedReason::NotAnObject(type_name);
        format!("{file}: {type_name} is not checked: {reason}")
    }
}

/// The results for all objects.
#[derive(Default)]
struct BuiltinReports {
    reports: Vec<BuiltinReport>,
    notes: Vec<String>,
    /// A note on each kind.
    scope_notes: Vec<String>,
    skipped: Vec<SkippedDocument>,
    has_empty_list: bool,
    unreadable_count: usize,
    /// True if documents that are not checked are errors.
    has_strict_kinds: bool,
}

pub(super) fn run(
    args: &CheckArgs,
    settings: &ServerSettings,
    inputs: &mut InputReader,
    output: OutputFormat,
) -> Result<CommandStatus, CommandError> {
    let format = output.text_or_json()?;
    let [new_files, _] = files::object_files(args);
    let mut validator = BuiltinValidator::default();
    let mut reports = BuiltinReports {
        has_strict_kinds: args.objects.strict_kinds,
        ..BuiltinReports::default()
    };
    if args.old.is_some() {
        reports.notes.push(NOTE_ON_OLD.to_owned());
    }
    let namespace = ("--namespace", args.objects.namespace.is_some());
    reports.notes.extend(notes_on_flags(&[namespace]));
    let (paths, unread_folders) = new_files.find_files()?;
    reports.unreadable_count = unread_folders;
    for path in &paths {
        match inputs.read_documents_with_sources(new_files.flag, path) {
            Ok(documents) => {
                reports.add_file(&documents, settings.field_validation, &mut validator)?;
            }
            Err(error) if new_files.may_have_several_files() => {
                print::error(&error);
                reports.unreadable_count += 1;
            }
            Err(error) => return Err(error),
        }
    }
    reports.print(new_files, format)
}

impl BuiltinReports {
    /// Validates the objects of a file.
    fn add_file(
        &mut self,
        documents: &Documents,
        validation: FieldValidation,
        validator: &mut BuiltinValidator,
    ) -> Result<(), CommandError> {
        self.notes.extend(documents.notes.iter().cloned());
        self.has_empty_list |= documents.objects().next().is_none() && !documents.values.is_empty();
        for object_in_file in documents.objects_in_file() {
            let value = object_in_file.object;
            let object_name = object::display_name(value);
            let Some(kind) = kind_of(value) else {
                self.skipped.push(SkippedDocument {
                    file: documents.file.clone(),
                    object_name: value.is_object().then_some(object_name),
                    type_name: object::json_type_name(value),
                });
                continue;
            };
            let source = documents.source_of(object_in_file);
            let body = RequestBody {
                value: value.clone(),
                source: source.as_ref(),
            };
            let reply = validator.reply(kind, body, validation)?;
            let duplicates = reply.duplicate_keys.iter();
            let lines = duplicates.map(|duplicate| duplicate_line(duplicate, &documents.file));
            self.notes.extend(lines);
            let note = note_on_scope(kind);
            if !self.scope_notes.contains(&note) {
                self.scope_notes.push(note);
            }
            self.reports.push(BuiltinReport {
                file: documents.file.clone(),
                object_name,
                errors: reply.errors,
            });
        }
        Ok(())
    }

    /// Prints the results for files.
    fn print(
        mut self,
        files: ObjectFiles<'_>,
        format: TextOrJson,
    ) -> Result<CommandStatus, CommandError> {
        if self.reports.is_empty() && self.unreadable_count == 0 {
            if let Some(document) = self.skipped.first() {
                return Err(document.error());
            }
            if !self.has_empty_list {
                return Err(files.no_objects_error());
            }
        }
        let notes_on_skipped = self.skipped.iter().map(SkippedDocument::note);
        self.notes.extend(notes_on_skipped);
        print::notes(&self.notes);
        match format {
            TextOrJson::Json => print::json(&[json!({
                "objects": self.reports.iter().map(BuiltinReport::json).collect::<Vec<Value>>(),
                "not_read": self.unreadable_count,
                "notes": self.scope_notes,
            })])?,
            TextOrJson::Text => self.render().print()?,
        }
        match self.unreadable_count {
            0 => Ok(self.status()),
            count => Err(print::unreadable_files(&files.display_paths(), count)),
        }
    }

    fn status(&self) -> CommandStatus {
        let is_kind_error = self.has_strict_kinds && !self.skipped.is_empty();
        if !is_kind_error && self.reports.iter().all(|report| report.errors.is_empty()) {
            CommandStatus::Success
        } else {
            CommandStatus::Rejected
        }
    }

    fn render(&self) -> TextBuffer {
        let mut text = TextBuffer::default();
        for report in &self.reports {
            text.add_line(&format!("{}: {}", report.file, report.object_name), PLAIN);
            let lines = report.errors.iter().flat_map(FieldError::lines);
            text.add_section("errors", BAD, lines);
            if report.errors.is_empty() {
                text.add_line("no errors", PLAIN);
            }
        }
        for note in &self.scope_notes {
            text.add_line(note, PLAIN);
        }
        match self.status() {
            _ if self.unreadable_count > 0 => {}
            CommandStatus::Success => text.add_line("accepted: the unions have no errors", GOOD),
            _ => text.add_line("rejected", BAD),
        }
        text
    }
}

impl BuiltinReport {
    fn json(&self) -> Value {
        json!({"file": self.file, "object": self.object_name, "errors": self.errors})
    }
}
