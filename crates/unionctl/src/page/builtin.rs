//! Validates the unions of an object of a built-in kind, which needs no CRD.

use k8s_builtin_unions::BuiltinKind;
use serde_json::Value;
use union_runtime::Settings;

use super::editor_inputs::select_in_file;
use super::editor_message::{Editor, EditorMessage, EditorObject};
use super::object_verdict::ObjectVerdict;
use super::request::PageRequest;
use super::stored_diff::{self, RequestStages};
use crate::error::CommandError;
use crate::input::{Documents, object};
use crate::judge::builtin::{kind_of, note_on_scope};
use crate::judge::reply::unions_reply::{field_errors, reply_changes};

/// Returns the verdict on an object of a built-in kind; `None` if the new object is of another
/// kind.
pub(super) fn object_verdict(
    request: &PageRequest,
    stored_documents: Option<&Documents>,
    new_documents: &Documents,
) -> Result<Option<ObjectVerdict>, EditorMessage> {
    let is_builtin = |value: &Value| kind_of(value).is_some();
    if !new_documents.objects().any(is_builtin) {
        return Ok(None);
    }
    let new_object = select_in_file(Editor::New, new_documents, is_builtin)?;
    let Some(kind) = kind_of(new_object.object) else {
        return Ok(None);
    };
    let stored_object = stored_documents
        .map(|documents| select_stored(documents, &request.stored, kind))
        .transpose()?;
    let unions = kind.compiler().compile();
    let unions = unions.map_err(|error| {
        let error = CommandError::new(kind.type_name(), error.message().to_owned());
        EditorMessage::from_command_error(Editor::New, &error)
    })?;
    let mut object = new_object.object.clone();
    let changes = if request.normalize {
        let changes = unions.normalize(&mut object, stored_object, &Settings::default());
        reply_changes(&changes)
    } else {
        Vec::new()
    };
    let report = unions.validate(&object);
    let editor_object = EditorObject {
        editor: Editor::New,
        source: &request.new,
        object_in_file: new_object,
        validated_object: &object,
    };
    let errors = editor_object.error_messages(&field_errors(report.errors()), |_| None);
    let stages = RequestStages {
        sent: new_object.object,
        defaulted: new_object.object,
        stored: &object,
        is_status_update: None,
    };
    let (op, operation) = match stored_object {
        Some(_) => ("update", "update"),
        None => ("create", "creation"),
    };
    let mut notes: Vec<String> = new_documents
        .note_on_selection(new_object.object)
        .into_iter()
        .collect();
    notes.extend(new_documents.notes.iter().cloned());
    Ok(Some(ObjectVerdict {
        title: format!("{operation} of {}", object::display_name(new_object.object)),
        op,
        accepted: report.is_accepted(),
        scope: Some(note_on_scope(kind)),
        errors,
        ratcheted: Vec::new(),
        warnings: Vec::new(),
        changes,
        notes,
        lines: stored_diff::diff_lines(&stages),
    }))
}

/// Returns the stored object, which must have the kind of the new object.
fn select_stored<'d>(
    documents: &'d Documents,
    source: &str,
    kind: BuiltinKind,
) -> Result<&'d Value, EditorMessage> {
    let is_of_kind = |value: &Value| {
        let found = kind_of(value);
        found.is_some_and(|found| found.type_name() == kind.type_name())
    };
    let object_in_file = select_in_file(Editor::Stored, documents, is_of_kind)?;
    let object = object_in_file.object;
    if is_of_kind(object) {
        return Ok(object);
    }
    let editor_object = EditorObject {
        editor: Editor::Stored,
        source,
        object_in_file,
        validated_object: object,
    };
    let message = format!(
        "the stored object has another type than the new object, which is a {} of {}",
        kind.name(),
        kind.api_version()
    );
    Err(editor_object.message_at("/kind", message))
}
