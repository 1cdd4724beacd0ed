//! Normalizes and validates the unions of an object in a file.

use std::path::Path;

use serde_json::Value;

use super::args::UnionsArgs;
use crate::error::CommandError;
use crate::input::{Documents, InputReader, object};
use crate::judge::schema::LoadedSchema;
use crate::judge::unions_reply::{Change, FieldError, UnionsReply};
use crate::output::print::{
    self, BAD, CHANGED, CommandStatus, GOOD, PLAIN, TOLERATED, TextBuffer, TextOrJson,
};
use crate::output::yaml;

pub(super) fn run(
    args: &UnionsArgs,
    new: &Path,
    format: TextOrJson,
) -> Result<CommandStatus, CommandError> {
    let (answer, notes) = answer(args, new)?;
    print::notes(&notes);
    match format {
        TextOrJson::Json => print::json(&[&answer])?,
        TextOrJson::Text => text(&answer).print()?,
    }
    Ok(answer.command_status())
}

/// Returns the answer, and notes on it.
fn answer(args: &UnionsArgs, new: &Path) -> Result<(UnionsReply, Vec<String>), CommandError> {
    let mut inputs = InputReader::default();
    let new = inputs.read_documents("--new", new)?;
    let old = match &args.old {
        Some(old) => Some(inputs.read_documents("--old", old)?),
        None => None,
    };
    let source = args.schema.load(&mut inputs, new.single_object())?;
    let (unions, problems) = source.unions()?;
    let mut notes = source.notes.clone();
    let says_none = unions.is_empty() && problems.is_empty();
    notes.extend(problems);
    let foreign = if says_none {
        source.inferred_unions()?
    } else {
        None
    };
    match &foreign {
        Some(foreign) => notes.extend_from_slice(&foreign.notes),
        None if says_none => notes.push(source.note_on_missing_unions()),
        None => {}
    }
    let object = select_object(&new, &source, &mut notes)?.clone();
    let old_object = match &old {
        Some(old) => Some(select_object(old, &source, &mut notes)?),
        None => None,
    };
    notes.extend(new.notes);
    let unions = foreign.as_ref().map_or(&unions, |foreign| &foreign.unions);
    let answer = UnionsReply::admit(unions, object, old_object, args.settings.settings());
    if let Some(foreign) = &foreign {
        notes.extend(foreign.rejection_notes(&answer.changes));
    }
    if let Some(old) = old.filter(|_| answer.has_restored()) {
        notes.extend(old.notes);
    }
    Ok((answer, notes))
}

/// Returns the object of a file that the schema is for.
fn select_object<'d>(
    documents: &'d Documents,
    source: &LoadedSchema,
    notes: &mut Vec<String>,
) -> Result<&'d Value, CommandError> {
    let object = documents.select_object("the object", |value| source.is_for(value))?;
    notes.extend(documents.note_on_choice(object));
    if !object.is_object() && !object.is_array() {
        let found = object::json_type_name(object);
        let problem = format!("expected an object, found {found}");
        return Err(CommandError::new(documents.file.as_str(), problem));
    }
    source.check_type(&documents.file, object)?;
    Ok(object)
}

fn text(answer: &UnionsReply) -> TextBuffer {
    let mut text = TextBuffer::default();
    text.add_section("object", PLAIN, yaml::document(&answer.object).lines());
    text.add_section("changed", CHANGED, answer.changes.iter().map(Change::line));
    text.add_section("errors", BAD, answer.errors.iter().map(FieldError::line));
    let ratcheted = answer.ratcheted.iter().map(FieldError::line);
    text.add_section("tolerated", TOLERATED, ratcheted);
    if answer.errors.is_empty() && answer.ratcheted.is_empty() {
        text.add_line("no errors", PLAIN);
    }
    match answer.command_status() {
        CommandStatus::Success => text.add_line("accepted", GOOD),
        CommandStatus::Rejected => text.add_line("rejected", BAD),
    }
    text
}
