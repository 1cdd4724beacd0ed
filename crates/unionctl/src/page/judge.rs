//! Validates the CRD and the new object as an API server does.

use serde::Serialize;
use serde_json::Value;
use union_runtime::Settings;

use super::crd::CrdVerdict;
use super::editor_inputs::{self, EditorInputs, ParsedCrds};
use super::editor_message::{Editor, EditorMessage, Subject};
use super::request::PageRequest;
use super::stored_diff::{self, DiffLine, RequestStages};
use crate::commands::check::files::check_request;
use crate::commands::check::object_report::{ObjectReport, tolerance_reason};
use crate::error::CommandError;
use crate::input::{Documents, LocatedObject};
use crate::judge::crds::CrdDiagnostics;
use crate::judge::crds::Crds;
use crate::judge::manifest;
use crate::judge::objects::InputObject;
use crate::judge::reply::unions_reply::{Change, FieldError, UnionsReply};
use crate::judge::schema::LoadedSchema;

#[derive(Default, Serialize)]
pub(super) struct JudgeReply {
    /// The errors that prevent the validation of parts of the request.
    problems: Vec<EditorMessage>,
    crd: Option<CrdVerdict>,
    object: Option<ObjectVerdict>,
}

#[derive(Serialize)]
struct ObjectVerdict {
    /// The operation and the object: `update of Backup "default/nightly"`.
    title: String,
    op: &'static str,
    accepted: bool,
    errors: Vec<EditorMessage>,
    ratcheted: Vec<EditorMessage>,
    warnings: Vec<EditorMessage>,
    /// The changes of normalization.
    changes: Vec<Change>,
    notes: Vec<String>,
    /// The lines of the object, as it was sent and as it is stored.
    lines: Vec<DiffLine>,
}

pub(super) fn judge_reply(inputs: &mut EditorInputs, request: &PageRequest) -> JudgeReply {
    let mut reply = JudgeReply::default();
    let stored = reply.documents(Editor::Stored, &request.stored);
    let new = reply.documents(Editor::New, &request.new);
    let [crd, _] = inputs.crds(request);
    let crd = match crd {
        Some(Ok(crd)) => crd,
        Some(Err(message)) => {
            reply.problems.push(message.clone());
            return reply;
        }
        None => return reply,
    };
    match crd.crd_verdict(|parsed| validate_crd(parsed, &request.crd)) {
        Ok(crd_result) => reply.crd = Some(crd_result),
        Err(message) => reply.problems.push(message),
    }
    let Some(new) = new.filter(|_| reply.problems.is_empty()) else {
        return reply;
    };
    let stored = stored
        .map(|stored| editor_inputs::select_object(&stored, &crd.crds).map(|(stored, _)| stored));
    let stored = match stored.transpose() {
        Ok(stored) => stored,
        Err(error) => {
            reply.add_problem(Editor::Stored, &error);
            return reply;
        }
    };
    match object_verdict(request, &new, stored, &mut crd.crds) {
        Ok(object) => reply.object = Some(object),
        Err(error) => reply.add_problem(Editor::New, &error),
    }
    reply
}

impl JudgeReply {
    fn add_problem(&mut self, editor: Editor, error: &CommandError) {
        self.problems
            .push(EditorMessage::from_command_error(editor, error));
    }

    /// Parses the documents of an editor; `None` if there are none. An error is added to the
    /// problems.
    fn documents(&mut self, editor: Editor, text: &str) -> Option<Documents> {
        match editor_inputs::parse_documents(editor, text) {
            Ok(documents) => (!documents.values.is_empty()).then_some(documents),
            Err(message) => {
                self.problems.push(message);
                None
            }
        }
    }
}

fn validate_crd(parsed: &ParsedCrds, text: &str) -> Result<CrdVerdict, EditorMessage> {
    let to_message = |error| EditorMessage::from_command_error(Editor::Crd, &error);
    let diagnostics = parsed.crds.validate(None).map_err(to_message)?;
    let diagnostics = CrdDiagnostics::merge(diagnostics);
    let (errors, warnings) = match parsed.single_crd() {
        Some(located) => {
            let subject = Subject {
                editor: Editor::Crd,
                source: text,
                located,
                judged: located.object,
            };
            (
                subject.error_messages(&diagnostics.errors, |_| None),
                subject.warning_messages(&diagnostics.warnings, &[], &diagnostics.unknown_fields),
            )
        }
        None => (
            EditorMessage::without_positions(
                Editor::Crd,
                diagnostics.errors.iter().map(FieldError::line),
            ),
            EditorMessage::without_positions(
                Editor::Crd,
                diagnostics.warnings.iter().map(|warning| &**warning),
            ),
        ),
    };
    Ok(CrdVerdict {
        accepted: diagnostics.errors.is_empty(),
        errors,
        warnings,
        notes: [diagnostics.notes, parsed.documents.notes.clone()].concat(),
    })
}

/// Validates a create of the new object, or an update of the stored object.
fn object_verdict(
    request: &PageRequest,
    documents: &Documents,
    stored: Option<InputObject>,
    crds: &mut Crds,
) -> Result<ObjectVerdict, CommandError> {
    let (mut new, located) = editor_inputs::select_object(documents, crds)?;
    let is_namespaced = crds.is_namespaced(new.crd);
    let stored = stored.map(|mut stored| {
        manifest::complete_stored(&mut stored.value, is_namespaced);
        stored.value
    });
    let stored = stored.as_ref();
    if request.status && stored.is_none() {
        let message = "a status update needs a stored object; add the stored object";
        return Err(CommandError::new(new.file, message));
    }
    manifest::complete(&mut new.value, stored, is_namespaced);
    let sent = new.value.clone();
    let settings = request.settings();
    let served = check_request(&new, stored, request.status, &settings, crds)?;
    let (report, normalized, notes) = if request.normalize {
        let (normalized_reply, notes) = normalize(&served, &new, stored, crds)?;
        new.value = normalized_reply.object;
        let settings = settings.unions(Settings::default());
        let mut report = check_request(&new, stored, request.status, &settings, crds)?;
        // The normalized object is pruned, so only the first report has the unknown fields.
        report.reply.take_unknown_fields(&served.reply);
        (Some(report), normalized_reply.changes, notes)
    } else {
        (None, Vec::new(), Vec::new())
    };
    let final_report = report.as_ref().unwrap_or(&served);
    let stages = RequestStages {
        sent: &sent,
        served: &served.reply.object,
        last: &final_report.reply.object,
        of_status: crds
            .has_status_subresource(new.crd, &sent)
            .then_some(request.status),
    };
    let lines = stored_diff::diff_lines(&stages);
    Ok(to_verdict(
        final_report,
        located,
        &request.new,
        normalized,
        [notes, documents.notes.clone()].concat(),
        lines,
    ))
}

fn to_verdict(
    report: &ObjectReport,
    located: LocatedObject<'_>,
    text: &str,
    changes: Vec<Change>,
    notes: Vec<String>,
    lines: Vec<DiffLine>,
) -> ObjectVerdict {
    let check_reply = &report.reply;
    let subject = Subject {
        editor: Editor::New,
        source: text,
        located,
        judged: &check_reply.object,
    };
    ObjectVerdict {
        title: report.title.clone(),
        op: report.op,
        accepted: check_reply.is_accepted(),
        errors: subject.error_messages(&check_reply.errors, |_| None),
        ratcheted: subject.error_messages(&check_reply.ratcheted, |finding| {
            Some(tolerance_reason(finding))
        }),
        warnings: subject.warning_messages(
            &check_reply.warnings,
            &check_reply.warned,
            &check_reply.unknown_fields,
        ),
        changes,
        notes,
        lines,
    }
}

/// Normalizes the object as a webhook does: by the unions that the CRD declares, or by the unions
/// of its rules if it declares none.
fn normalize(
    served: &ObjectReport,
    new: &InputObject,
    stored: Option<&Value>,
    crds: &Crds,
) -> Result<(UnionsReply, Vec<String>), CommandError> {
    let version = crds.version_for(new.crd, &new.value).map(str::to_owned);
    let source = LoadedSchema::for_crd_version(&crds.file, crds.document(new.crd), version);
    let (unions, mut notes) = source.unions()?;
    let inferred = if unions.is_empty() && notes.is_empty() {
        source.inferred_unions()?
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
    let object = served.reply.object.clone();
    let normalized_reply = UnionsReply::admit(unions, object, stored, Settings::default());
    if let Some(inferred) = &inferred {
        notes.extend(inferred.rejection_notes(&normalized_reply.changes));
    }
    Ok((normalized_reply, notes))
}
