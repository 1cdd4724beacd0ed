//! Validates the unions of an object of a built-in kind, without a schema.

use super::args::UnionsArgs;
use crate::error::CommandError;
use crate::input::Documents;
use crate::judge::builtin::{
    BuiltinValidator, NOTE_ON_OLD, kind_of, note_on_scope, notes_on_flags,
};
use crate::judge::reply::unions_reply::UnionsReply;

/// Returns the reply for an object of a built-in kind, and notes for the user; `None` if the file
/// has no such object, or if a flag names a schema.
pub(super) fn reply(
    args: &UnionsArgs,
    documents: &Documents,
) -> Result<Option<(UnionsReply, Vec<String>)>, CommandError> {
    let mut objects = documents.objects_in_file();
    let has_builtin = objects.any(|found| kind_of(found.object).is_some());
    if args.schema.is_given() || !has_builtin {
        return Ok(None);
    }
    let object = documents.select_object("the object", |value| kind_of(value).is_some())?;
    let Some(kind) = kind_of(object) else {
        return Ok(None);
    };
    let mut notes: Vec<String> = documents.note_on_selection(object).into_iter().collect();
    notes.extend(documents.notes.iter().cloned());
    notes.push(note_on_scope(kind));
    if args.old.is_some() {
        notes.push(NOTE_ON_OLD.to_owned());
    }
    notes.extend(notes_on_flags(&args.schema.given_flags()));
    notes.extend(notes_on_flags(&args.settings.given_flags()));
    let errors = BuiltinValidator::default().errors(kind, object)?;
    Ok(Some((
        UnionsReply::unchanged(object.clone(), errors),
        notes,
    )))
}
