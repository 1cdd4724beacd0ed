//! Normalizes and validates the unions of an object in a file.

use std::path::Path;

use serde_json::Value;

use super::args::UnionsArgs;
use super::builtin;
use crate::cluster::{CLUSTER, Cluster, Program};
use crate::error::CommandError;
use crate::input::{Documents, InputReader, object};
use crate::judge::reply::unions_reply::{Change, FieldError, UnionsReply};
use crate::judge::schema::LoadedSchema;
use crate::judge::server_errors::add_server_errors;
use crate::output::print::{
    self, BAD, CHANGED, CommandStatus, GOOD, PLAIN, TOLERATED, TextBuffer, TextOrJson,
};
use crate::output::yaml;

/// The note on errors that the unions do not have.
const SERVER_ERRORS_NOTE: &str = "the object is valid by its unions, but an API server rejects it by \
     the rules of the schema; the errors are those of the server";

pub(super) fn run(
    args: &UnionsArgs,
    new_path: &Path,
    program: Program,
    format: TextOrJson,
) -> Result<CommandStatus, CommandError> {
    let mut cluster = args.schema.cluster(program)?;
    let (reply, notes) = reply_to_request(args, new_path, cluster.as_mut())?;
    print::notes(&notes);
    match format {
        TextOrJson::Json => print::json(&[&reply])?,
        TextOrJson::Text => render(&reply).print()?,
    }
    let status = reply.command_status();
    Ok(cluster.map_or(status, |cluster| cluster.complete_status(status)))
}

/// Returns the reply, and notes for the user.
fn reply_to_request(
    args: &UnionsArgs,
    new_path: &Path,
    mut cluster: Option<&mut Cluster>,
) -> Result<(UnionsReply, Vec<String>), CommandError> {
    let mut inputs = InputReader::default();
    let new_documents = inputs.read_documents("--filename", new_path)?;
    if let Some(reply) = builtin::reply(args, &new_documents)? {
        return Ok(reply);
    }
    let old_file = match &args.old {
        Some(path) => Some(inputs.read_documents("--old", path)?),
        None => None,
    };
    let single_object = new_documents.single_object();
    let schema = args
        .schema
        .load(&mut inputs, single_object, cluster.as_deref_mut())?;
    let stored_object = match (cluster, single_object) {
        (Some(cluster), Some(object)) if old_file.is_none() => cluster.stored_object(object)?,
        _ => None,
    };
    let stored_object = stored_object.map(|object| Documents::from_values(CLUSTER, vec![object]));
    let old_documents = old_file.or(stored_object);
    let (unions, union_errors) = schema.unions()?;
    let mut notes = schema.notes.clone();
    let infers_unions = unions.is_empty() && union_errors.is_empty();
    notes.extend(union_errors);
    let inferred = if infers_unions {
        schema.inferred_unions()?
    } else {
        None
    };
    match &inferred {
        Some(inferred) => notes.extend_from_slice(&inferred.notes),
        None if infers_unions => notes.push(schema.note_on_missing_unions()),
        None => {}
    }
    let new_object = select_object(&new_documents, &schema, &mut notes)?.clone();
    let old_object = match &old_documents {
        Some(documents) => Some(select_object(documents, &schema, &mut notes)?),
        None => None,
    };
    notes.extend(new_documents.notes);
    let unions = inferred
        .as_ref()
        .map_or(&unions, |inferred| &inferred.unions);
    let mut reply = UnionsReply::admit(unions, new_object, old_object, args.settings.settings());
    // A declaration takes precedence over the rules.
    let rules = inferred.as_ref().and_then(|_| schema.structural_schema());
    if let Some(structural_schema) = rules {
        let objects = schema.analyzed_objects()?;
        if add_server_errors(&mut reply, &structural_schema, &objects, old_object) {
            notes.push(SERVER_ERRORS_NOTE.to_owned());
        }
    }
    if let Some(inferred) = &inferred {
        notes.extend(inferred.rejection_notes(&reply.changes));
    }
    if let Some(documents) = old_documents.filter(|_| reply.has_restored_member()) {
        notes.extend(documents.notes);
    }
    Ok((reply, notes))
}

/// Returns the object in a file that the schema describes.
fn select_object<'d>(
    documents: &'d Documents,
    schema: &LoadedSchema,
    notes: &mut Vec<String>,
) -> Result<&'d Value, CommandError> {
    let object = documents.select_object("the object", |value| schema.is_for(value))?;
    notes.extend(documents.note_on_selection(object));
    if !object.is_object() && !object.is_array() {
        let type_name = object::json_type_name(object);
        let message = format!("expected an object, found {type_name}");
        return Err(CommandError::new(documents.file.as_str(), message));
    }
    schema.check_type(&documents.file, object)?;
    Ok(object)
}

fn render(reply: &UnionsReply) -> TextBuffer {
    let mut text = TextBuffer::default();
    text.add_section("object", PLAIN, yaml::document(&reply.object).lines());
    text.add_section("changed", CHANGED, reply.changes.iter().map(Change::line));
    text.add_section(
        "errors",
        BAD,
        reply.errors.iter().flat_map(FieldError::lines),
    );
    let tolerated_errors = reply.ratcheted.iter().map(FieldError::line);
    text.add_section("tolerated", TOLERATED, tolerated_errors);
    if reply.errors.is_empty() && reply.ratcheted.is_empty() {
        text.add_line("no errors", PLAIN);
    }
    if reply.command_status() == CommandStatus::Rejected {
        text.add_line("rejected", BAD);
    } else {
        text.add_line("accepted", GOOD);
    }
    text
}
