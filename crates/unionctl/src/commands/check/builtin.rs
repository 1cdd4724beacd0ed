//! Validates the unions of objects of built-in kinds, without a CRD.

use serde_json::{Value, json};

use super::args::CheckArgs;
use crate::error::CommandError;
use crate::input::{InputReader, object};
use crate::judge::builtin::{BuiltinValidator, NOTE_ON_OLD, kind_of, note_on_scope};
use crate::judge::reply::unions_reply::FieldError;
use crate::output::print::{
    self, BAD, CommandStatus, GOOD, OutputFormat, PLAIN, TextBuffer, TextOrJson,
};

/// The result for one object.
struct BuiltinReport {
    file: String,
    object_name: String,
    errors: Vec<FieldError>,
}

pub(super) fn run(
    args: &CheckArgs,
    inputs: &mut InputReader,
    output: OutputFormat,
) -> Result<CommandStatus, CommandError> {
    let format = output.text_or_json()?;
    let mut validator = BuiltinValidator::default();
    let mut reports = Vec::new();
    let mut notes: Vec<String> = Vec::new();
    let mut scope_notes: Vec<String> = Vec::new();
    let mut skipped = Vec::new();
    if args.old.is_some() {
        notes.push(NOTE_ON_OLD.to_owned());
    }
    for path in &args.new {
        let documents = inputs.read_file_or_folder("--filename", path)?;
        notes.extend(documents.notes.iter().cloned());
        for object_in_file in documents.objects_in_file() {
            let value = object_in_file.object;
            let object_name = object::display_name(value);
            let Some(kind) = kind_of(value) else {
                skipped.push((documents.file.clone(), object_name));
                continue;
            };
            let note = note_on_scope(kind);
            if !scope_notes.contains(&note) {
                scope_notes.push(note);
            }
            reports.push(BuiltinReport {
                file: documents.file.clone(),
                object_name,
                errors: validator.errors(kind, value)?,
            });
        }
    }
    if let (true, Some((file, object_name))) = (reports.is_empty(), skipped.first()) {
        return Err(CommandError::new(
            file.as_str(),
            format!(
                "missing --crd: {object_name} is not of a built-in kind with unions; pass its CRD"
            ),
        ));
    }
    notes.extend(skipped.into_iter().map(|(file, object_name)| {
        format!(
            "{file}: {object_name} is not checked, because it is not of a built-in kind with unions; if it is a custom resource, pass its CRD (--crd)"
        )
    }));
    print::notes(&notes);
    match format {
        TextOrJson::Json => print::json(&[json!({
            "objects": reports.iter().map(BuiltinReport::json).collect::<Vec<Value>>(),
            "notes": scope_notes,
        })])?,
        TextOrJson::Text => render(&reports, &scope_notes).print()?,
    }
    Ok(status(&reports))
}

impl BuiltinReport {
    fn json(&self) -> Value {
        json!({"file": self.file, "object": self.object_name, "errors": self.errors})
    }
}

fn status(reports: &[BuiltinReport]) -> CommandStatus {
    if reports.iter().all(|report| report.errors.is_empty()) {
        CommandStatus::Success
    } else {
        CommandStatus::Rejected
    }
}

fn render(reports: &[BuiltinReport], scope_notes: &[String]) -> TextBuffer {
    let mut text = TextBuffer::default();
    for report in reports {
        text.add_line(&format!("{}: {}", report.file, report.object_name), PLAIN);
        let lines = report.errors.iter().flat_map(FieldError::lines);
        text.add_section("errors", BAD, lines);
        if report.errors.is_empty() {
            text.add_line("no errors", PLAIN);
        }
    }
    for note in scope_notes {
        text.add_line(note, PLAIN);
    }
    match status(reports) {
        CommandStatus::Success => text.add_line("accepted: the unions have no errors", GOOD),
        _ => text.add_line("rejected", BAD),
    }
    text
}
