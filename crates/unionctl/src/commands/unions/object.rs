//! Normalizes and validates the unions of an object in a file.

use std::path::Path;

use serde_json::Value;

use super::args::UnionsArgs;
use crate::error::CommandError;
use crate::input::{Documents, InputReader, object};
use crate::judge::reply::unions_reply::{Change, FieldError, UnionsReply};
use crate::judge::schema::LoadedSchema;
use crate::output::print::{
    self, BAD, CHANGED, CommandStatus, GOOD, PLAIN, TOLERATED, TextBuffer, TextOrJson,
};
use crate::output::yaml;

pub(super) fn run(
    args: &UnionsArgs,
    new: &Path,
    format: TextOrJson,
) -> Result<CommandStatus, CommandError> {
    let (reply, notes) = reply(args, new)?;
    print::notes(&notes);
    match format {
        TextOrJson::Json => print::json(&[&reply])?,
        TextOrJson::Text => text(&reply).print()?,
    }
    Ok(reply.command_status())
}

/// Returns the reply, and notes for the user.
fn reply(args: &UnionsArgs, new: &Path) -> Result<(UnionsReply, Vec<String>), CommandError> {
    let mut inputs = InputReader::default();
    let new = inputs.read_documents("--new", new)?;
    let old = match &args.old {
        Some(old) => Some(inputs.read_documents("--old", old)?),
        None => None,
    };
    let source = args.schema.load(&mut inputs, new.single_object())?;
    let (unions, union_errors) = source.unions()?;
    let mut notes = source.notes.clone();
    let has_no_unions = unions.is_empty() && union_errors.is_empty();
    notes.extend(union_errors);
    let inferred = if has_no_unions {
        source.inferred_unions()?
    } else {
        None
    };
    match &inferred {
        Some(inferred) => notes.extend_from_slice(&inferred.notes),
        None if has_no_unions => notes.push(source.note_on_missing_unions()),
        None => {}
    }
    let object = select_object(&new, &source, &mut notes)?.clone();
    let old_object = match &old {
        Some(old) => Some(select_object(old, &source, &mut notes)?),
        None => None,
    };
    notes.extend(new.notes);
    let unions = inferred
        .as_ref()
        .map_or(&unions, |inferred| &inferred.unions);
    let reply = UnionsReply::admit(unions, object, old_object, args.settings.settings());
    if let Some(inferred) = &inferred {
        notes.extend(inferred.rejection_notes(&reply.changes));
    }
    if let Some(old) = old.filter(|_| reply.has_restored()) {
        notes.extend(old.notes);
    }
    Ok((reply, notes))
}

/// Returns the object in a file that the schema describes.
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

fn text(reply: &UnionsReply) -> TextBuffer {
    let mut text = TextBuffer::default();
    text.add_section("object", PLAIN, yaml::document(&reply.object).lines());
    text.add_section("changed", CHANGED, reply.changes.iter().map(Change::line));
    text.add_section("errors", BAD, reply.errors.iter().map(FieldError::line));
    let ratcheted = reply.ratcheted.iter().map(FieldError::line);
    text.add_section("tolerated", TOLERATED, ratcheted);
    if reply.errors.is_empty() && reply.ratcheted.is_empty() {
        text.add_line("no errors", PLAIN);
    }
    match reply.command_status() {
        CommandStatus::Success => text.add_line("accepted", GOOD),
        CommandStatus::Rejected => text.add_line("rejected", BAD),
    }
    text
}
