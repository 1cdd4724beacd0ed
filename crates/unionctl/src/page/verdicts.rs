//! Validates the CRD and the new object as an API server does.

use serde::Serialize;
use serde_json::Value;
use union_runtime::Settings;

use super::builtin;
use super::crd::CrdVerdict;
use super::editor_inputs::{self, EditorInputs, ParsedCrds};
use super::editor_message::{Editor, EditorMessage, EditorObject};
use super::object_verdict::ObjectVerdict;
use super::request::PageRequest;
use super::sample;
use super::stored_diff::{self, DiffLine, RequestStages};
use crate::commands::check::files::check_request;
use crate::commands::check::object_report::{ObjectReport, tolerance_reason};
use crate::error::CommandError;
use crate::input::{Documents, ObjectInFile};
use crate::judge::crds::Crds;
use crate::judge::manifest;
use crate::judge::objects::InputObject;
use crate::judge::reply::unions_reply::{Change, UnionsReply};
use crate::judge::schema::LoadedSchema;

#[derive(Default, Serialize)]
pub(super) struct PageCheckReply {
    /// The errors that prevent the validation of parts of the request.
    problems: Vec<EditorMessage>,
    crd: Option<CrdVerdict>,
    object: Option<ObjectVerdict>,
}

pub(super) fn check_reply(inputs: &mut EditorInputs, request: &PageRequest) -> PageCheckReply {
    let mut reply = PageCheckReply::default();
    let stored_documents = reply.parse_documents(Editor::Stored, &request.stored);
    let new_documents = reply.parse_documents(Editor::New, &request.new);
    let [parsed_crds, _] = inputs.crds(request);
    let parsed_crds = match parsed_crds {
        Some(Ok(parsed_crds)) => parsed_crds,
        Some(Err(message)) => {
            reply.problems.push(message.clone());
            return reply;
        }
        None => {
            if let Some(new_documents) = new_documents.filter(|_| reply.problems.is_empty()) {
                let verdict =
                    builtin::object_verdict(request, stored_documents.as_ref(), &new_documents);
                reply.object = reply.keep(verdict).flatten();
            }
            return reply;
        }
    };
    match parsed_crds.crd_verdict(|parsed| validate_crd(parsed, &request.crd)) {
        Ok(crd_verdict) => reply.crd = Some(crd_verdict),
        Err(message) => reply.problems.push(message),
    }
    let stored_object = stored_documents.and_then(|documents| {
        let source = &request.stored;
        let selected =
            editor_inputs::select_object(Editor::Stored, source, &documents, parsed_crds);
        reply.keep(selected.map(|(object, _)| object))
    });
    let new_object = new_documents.as_ref().and_then(|documents| {
        let selected =
            editor_inputs::select_object(Editor::New, &request.new, documents, parsed_crds);
        let (object, object_in_file) = reply.keep(selected)?;
        Some(NewObject {
            object,
            object_in_file,
            notes: &documents.notes,
        })
    });
    // The CRD is validated even if the objects have problems.
    let Some(new_object) = new_object.filter(|_| reply.problems.is_empty()) else {
        return reply;
    };
    match object_verdict(request, new_object, stored_object, &mut parsed_crds.crds) {
        Ok(object_verdict) => reply.object = Some(object_verdict),
        Err(error) => reply.add_problem(Editor::New, &error),
    }
    reply
}

/// The object of the request.
struct NewObject<'d> {
    object: InputObject,
    object_in_file: ObjectInFile<'d>,
    /// The notes on the documents of the editor.
    notes: &'d [String],
}

impl PageCheckReply {
    fn add_problem(&mut self, editor: Editor, error: &CommandError) {
        self.problems
            .push(EditorMessage::from_command_error(editor, error));
    }

    /// Returns the value of a result. An error is added to the problems.
    fn keep<T>(&mut self, result: Result<T, EditorMessage>) -> Option<T> {
        result.map_err(|message| self.problems.push(message)).ok()
    }

    /// Parses the documents of an editor; `None` if the editor is empty or its content is invalid.
    /// The error is added to the problems.
    fn parse_documents(&mut self, editor: Editor, source: &str) -> Option<Documents> {
        match editor_inputs::parse_documents(editor, source) {
            Ok(documents) => (!documents.values.is_empty()).then_some(documents),
            Err(message) => {
                self.problems.push(message);
                None
            }
        }
    }
}

fn validate_crd(parsed_crds: &ParsedCrds, source: &str) -> Result<CrdVerdict, EditorMessage> {
    let to_message = |error| EditorMessage::from_command_error(Editor::Crd, &error);
    let diagnostics_by_crd = parsed_crds.crds.validate(None).map_err(to_message)?;
    let choices = sample::sample_choices(parsed_crds);
    let mut verdict = CrdVerdict {
        accepted: true,
        errors: Vec::new(),
        warnings: Vec::new(),
        notes: Vec::new(),
        samples: choices.into_iter().map(|choice| choice.title).collect(),
    };
    for (crd, diagnostics) in parsed_crds.crds_in_file().zip(diagnostics_by_crd) {
        let editor_object = EditorObject {
            editor: Editor::Crd,
            source,
            object_in_file: crd,
            validated_object: crd.object,
        };
        verdict.accepted &= diagnostics.errors.is_empty();
        let errors = editor_object.error_messages(&diagnostics.errors, |_| None);
        verdict.errors.extend(errors);
        verdict.warnings.extend(editor_object.warning_messages(
            &diagnostics.warnings,
            &[],
            &diagnostics.unknown_fields,
        ));
        verdict.notes.extend(diagnostics.notes);
    }
    let notes = parsed_crds.documents.notes.iter();
    verdict.notes.extend(notes.cloned());
    Ok(verdict)
}

/// Validates a create of the new object, or an update of the stored object.
fn object_verdict(
    request: &PageRequest,
    new_object: NewObject<'_>,
    stored_object: Option<InputObject>,
    crds: &mut Crds,
) -> Result<ObjectVerdict, CommandError> {
    let NewObject {
        object: mut new_object,
        object_in_file,
        notes: notes_on_documents,
    } = new_object;
    let is_namespaced = crds.is_namespaced(new_object.crd);
    let stored_object = stored_object.map(|mut stored_object| {
        manifest::complete_stored(&mut stored_object.value, is_namespaced);
        stored_object.value
    });
    let stored_object = stored_object.as_ref();
    if request.status && stored_object.is_none() {
        let message = "a status update needs a stored object; add the stored object";
        return Err(CommandError::new(new_object.file, message));
    }
    manifest::complete(&mut new_object.value, stored_object, is_namespaced);
    let sent_object = new_object.value.clone();
    let settings = request.settings();
    let check_report = check_request(&new_object, stored_object, request.status, &settings, crds)?;
    let (normalized_report, changes, notes) = if request.normalize {
        let (normalized_reply, notes) = normalize(&check_report, &new_object, stored_object, crds)?;
        new_object.value = normalized_reply.object;
        let settings = settings.unions(Settings::default());
        let mut normalized_report =
            check_request(&new_object, stored_object, request.status, &settings, crds)?;
        // The normalized object is pruned, so only the first report has the unknown fields.
        normalized_report
            .reply
            .take_unknown_fields(&check_report.reply);
        (Some(normalized_report), normalized_reply.changes, notes)
    } else {
        (None, Vec::new(), Vec::new())
    };
    let final_report = normalized_report.as_ref().unwrap_or(&check_report);
    let stages = RequestStages {
        sent: &sent_object,
        defaulted: &check_report.reply.object,
        stored: &final_report.reply.object,
        is_status_update: crds
            .has_status_subresource(new_object.crd, &sent_object)
            .then_some(request.status),
    };
    let lines = stored_diff::diff_lines(&stages);
    Ok(to_verdict(
        final_report,
        object_in_file,
        &request.new,
        changes,
        [&notes, notes_on_documents].concat(),
        lines,
    ))
}

fn to_verdict(
    report: &ObjectReport,
    object_in_file: ObjectInFile<'_>,
    source: &str,
    changes: Vec<Change>,
    notes: Vec<String>,
    lines: Vec<DiffLine>,
) -> ObjectVerdict {
    let check_reply = &report.reply;
    let editor_object = EditorObject {
        editor: Editor::New,
        source,
        object_in_file,
        validated_object: &check_reply.object,
    };
    ObjectVerdict {
        title: report.title.clone(),
        op: report.op,
        accepted: check_reply.is_accepted(),
        scope: None,
        errors: editor_object.error_messages(&check_reply.errors, |_| None),
        ratcheted: editor_object.error_messages(&check_reply.ratcheted, |error| {
            Some(tolerance_reason(error))
        }),
        warnings: editor_object.warning_messages(
            &check_reply.warnings,
            &check_reply.warned,
            &check_reply.unknown_fields,
        ),
        changes,
        notes,
        lines,
    }
}

/// Normalizes the object as a webhook does: by the unions that the CRD declares, or else by the
/// unions that are inferred from its rules.
fn normalize(
    check_report: &ObjectReport,
    new_object: &InputObject,
    stored_object: Option<&Value>,
    crds: &Crds,
) -> Result<(UnionsReply, Vec<String>), CommandError> {
    let version = crds
        .version_for(new_object.crd, &new_object.value)
        .map(str::to_owned);
    let schema = LoadedSchema::for_crd_version(&crds.file, crds.document(new_object.crd), version);
    let (unions, mut notes) = schema.unions()?;
    let inferred = if unions.is_empty() && notes.is_empty() {
        schema.inferred_unions()?
    } else {
        None
    };
    let unions = match &inferred {
        Some(inferred) => {
            notes.extend_from_slice(&inferred.notes);
            &inferred.unions
        }
        None => &unions,
    };
    let object = check_report.reply.object.clone();
    let normalized_reply = UnionsReply::admit(unions, object, stored_object, Settings::default());
    if let Some(inferred) = &inferred {
        notes.extend(inferred.rejection_notes(&normalized_reply.changes));
    }
    Ok((normalized_reply, notes))
}
